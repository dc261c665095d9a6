"""Plots as SVG, of points and lines, with axes that may be logarithmic."""
import math
from xml.sax.saxutils import escape

WIDE, HIGH, LEFT, RIGHT, TOP, BOTTOM = 860, 420, 70, 300, 40, 50
COLOURS = ("#1b6ca8", "#c8553d", "#3d8b5f", "#8a5fa8", "#b08a1e", "#555555", "#2a9d9d", "#c2549d", "#000000",
           "#e08214", "#7fb13d", "#90a4ae")


def short(value):
    if value >= 1000000:
        return f"{value / 1000000:g}M"
    if value >= 1000:
        return f"{value / 1000:g}k"
    return f"{value:g}"


class Axis:
    def __init__(self, values, log, low=None, high=None):
        least, most = min(values), max(values)
        self.log = log
        if log:
            self.low, self.high = math.log10(least) - 0.05, math.log10(most) + 0.05
        else:
            self.low = least if low is None else low
            self.high = (most if high is None else high) or 1

    def place(self, value):
        value = math.log10(value) if self.log else value
        return (value - self.low) / ((self.high - self.low) or 1)

    def ticks(self):
        if self.log:
            powers = range(math.floor(self.low), math.ceil(self.high) + 1)
            marks = [m * 10 ** p for p in powers for m in (1, 2, 5)]
            inside = [v for v in marks if self.low <= math.log10(v) <= self.high]
            return inside if len(inside) <= 9 else [v for v in inside if str(v).strip("0.").startswith("1")]
        step = 10 ** math.floor(math.log10((self.high - self.low) / 4))
        step = next(step * m for m in (1, 2, 5, 10) if (self.high - self.low) / (step * m) <= 6)
        first = math.ceil(self.low / step)
        return [round(n * step, 10) for n in range(first, math.floor(self.high / step + 1e-9) + 1)]


def plot(title, across, up, series, log_x=False, log_y=False, low_y=None, high_y=None, joined=True):
    """`series`: {name: [(x, y), ...]}; the text of an SVG."""
    x_axis = Axis([x for points in series.values() for x, _ in points], log_x)
    y_axis = Axis([y for points in series.values() for _, y in points], log_y, low_y, high_y)

    def at(x, y):
        return (LEFT + x_axis.place(x) * (WIDE - LEFT - RIGHT), HIGH - BOTTOM - y_axis.place(y) * (HIGH - TOP - BOTTOM))
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {HIGH}" font-family="sans-serif" font-size="12">',
           f'<rect width="{WIDE}" height="{HIGH}" fill="#ffffff"/>',
           f'<text x="{LEFT}" y="22" font-size="14">{escape(title)}</text>']
    for value in x_axis.ticks():
        x, _ = at(value, 10 ** y_axis.low if log_y else y_axis.low)
        out.append(f'<path d="M{x:.1f} {TOP}V{HIGH - BOTTOM}" stroke="#e4e4e4"/>'
                   f'<text x="{x:.1f}" y="{HIGH - BOTTOM + 18}" text-anchor="middle">{short(value)}</text>')
    for value in y_axis.ticks():
        _, y = at(10 ** x_axis.low if log_x else x_axis.low, value)
        out.append(f'<path d="M{LEFT} {y:.1f}H{WIDE - RIGHT}" stroke="#e4e4e4"/>'
                   f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{short(value)}</text>')
    out.append(f'<text x="{(LEFT + WIDE - RIGHT) / 2}" y="{HIGH - 10}" text-anchor="middle">{escape(across)}</text>'
               f'<text transform="translate(16 {(TOP + HIGH - BOTTOM) / 2}) rotate(-90)" text-anchor="middle">'
               f'{escape(up)}</text>')
    for number, (name, points) in enumerate(series.items()):
        colour, places = COLOURS[number % len(COLOURS)], [at(x, y) for x, y in points]
        if joined and len(places) > 1:
            line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
            out.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{colour}"/>' for x, y in places]
        y = TOP + 14 + 20 * number
        out.append(f'<circle cx="{WIDE - RIGHT + 16}" cy="{y - 4}" r="4" fill="{colour}"/>'
                   f'<text x="{WIDE - RIGHT + 26}" y="{y}">{escape(name)}</text>')
    return "\n".join(out + ["</svg>", ""])


def strips(title, across, rows):
    """`rows`: {row: {name: value}}; a line a row, values as dots on a logarithmic scale, 1 marked; the text of an SVG."""
    names = list(dict.fromkeys(name for values in rows.values() for name in values))
    every = [value for values in rows.values() for value in values.values()] + [1]
    axis, left, step = Axis(every, True), 190, 22
    high = TOP + step * len(rows) + BOTTOM

    def at(value):
        return left + axis.place(value) * (WIDE - left - 130)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDE} {max(high, TOP + 20 * len(names) + 20)}" '
           'font-family="sans-serif" font-size="12">', '<rect width="100%" height="100%" fill="#ffffff"/>',
           f'<text x="{left}" y="22" font-size="14">{escape(title)}</text>']
    for value in [*axis.ticks(), 1]:
        colour = "#888888" if value == 1 else "#e4e4e4"
        out.append(f'<path d="M{at(value):.1f} {TOP}V{high - BOTTOM}" stroke="{colour}"/>'
                   f'<text x="{at(value):.1f}" y="{high - BOTTOM + 18}" text-anchor="middle">{short(value)}</text>')
    for number, (row, values) in enumerate(rows.items()):
        y = TOP + step * number + step / 2
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{escape(row)}</text>'
                   f'<path d="M{left} {y:.1f}H{WIDE - 130}" stroke="#f0f0f0"/>')
        out += [f'<circle cx="{at(value):.1f}" cy="{y:.1f}" r="4" fill="{COLOURS[names.index(name) % len(COLOURS)]}"/>'
                for name, value in values.items()]
    for number, name in enumerate(names):
        y = TOP + 14 + 20 * number
        out.append(f'<circle cx="{WIDE - 118}" cy="{y - 4}" r="4" fill="{COLOURS[number % len(COLOURS)]}"/>'
                   f'<text x="{WIDE - 108}" y="{y}">{escape(name)}</text>')
    out.append(f'<text x="{(left + WIDE - 130) / 2}" y="{high - 10}" text-anchor="middle">{escape(across)}</text>')
    return "\n".join(out + ["</svg>", ""])
