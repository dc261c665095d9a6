//! datafrog: joins of sorted relations, written out by hand. It has no aggregation.
use crate::{Answer, Facts, Row2, Row3};
use datafrog::{Iteration, Relation, RelationLeaper, ValueFilter};

fn swapped(rows: &[Row2]) -> Relation<Row2> {
    rows.iter().map(|&(a, b)| (b, a)).collect()
}

/// (y, x) of each path from x to y.
fn paths_by_end(edges: Vec<Row2>) -> Relation<Row2> {
    let edge: Relation<Row2> = edges.into();
    let mut iteration = Iteration::new();
    let path = iteration.variable::<Row2>("path");
    path.extend(edge.iter().map(|&(x, y)| (y, x)));
    while iteration.changed() {
        path.from_join(&path, &edge, |_y, &x, &z| (z, x));
    }
    path.complete()
}

fn closure(f: &Facts) -> Answer {
    Answer::Two(paths_by_end(f.two("edge")).iter().map(|&(y, x)| (x, y)).collect())
}

fn generation(f: &Facts) -> Answer {
    let parent = f.two("parent");
    let children = swapped(&parent);
    let mut iteration = Iteration::new();
    let same = iteration.variable::<Row2>("same");
    let half = iteration.variable::<Row2>("half");
    same.extend(children.iter().flat_map(|&(p, x)| {
        let begin = children.partition_point(|row| row.0 < p);
        children[begin..].iter().take_while(move |row| row.0 == p).map(move |row| (x, row.1))
    }));
    while iteration.changed() {
        half.from_join(&same, &children, |_p, &q, &x| (q, x));
        same.from_join(&half, &children, |_q, &x, &y| (x, y));
    }
    Answer::Two(same.complete().elements)
}

fn pointers(f: &Facts) -> Answer {
    let (assign, load) = (swapped(&f.two("assign")), swapped(&f.two("load")));
    let store: Relation<Row2> = f.two("store").into();
    let mut iteration = Iteration::new();
    let points = iteration.variable::<Row2>("points");
    let holds = iteration.variable::<Row2>("holds");
    let loaded = iteration.variable::<Row2>("loaded"); // (p, v): v is loaded from what may be p
    let stored = iteration.variable::<Row2>("stored"); // (w, p): w is stored in what may be p
    points.extend(f.two("new"));
    while iteration.changed() {
        points.from_join(&points, &assign, |_w, &o, &v| (v, o));
        loaded.from_join(&points, &load, |_w, &p, &v| (p, v));
        stored.from_join(&points, &store, |_v, &p, &w| (w, p));
        points.from_join(&loaded, &holds, |_p, &v, &o| (v, o));
        holds.from_join(&stored, &points, |_w, &p, &o| (p, o));
    }
    Answer::Two(points.complete().elements)
}

fn flows(f: &Facts) -> Answer {
    let assign = f.two("assign");
    let into = swapped(&assign);
    let dereference: Relation<Row2> = f.two("dereference").into();
    let mut iteration = Iteration::new();
    let flow = iteration.variable::<Row2>("flow");
    let flow_end = iteration.variable::<Row2>("flow_end"); // (y, x)
    let memory = iteration.variable::<Row2>("memory_alias");
    let value = iteration.variable::<Row2>("value_alias");
    let through = iteration.variable::<Row2>("through"); // (w, x): x is reached from z, which aliases w
    let half = iteration.variable::<Row2>("half");
    flow.extend(assign.iter().flat_map(|&(x, y)| [(x, x), (y, y), (x, y)]));
    memory.extend(assign.iter().flat_map(|&(x, y)| [(x, x), (y, y)]));
    while iteration.changed() {
        flow_end.from_map(&flow, |&(x, y)| (y, x));
        flow.from_join(&memory, &into, |_z, &y, &x| (x, y));
        flow.from_join(&flow_end, &flow, |_z, &x, &y| (x, y));
        half.from_join(&value, &dereference, |_y, &z, &x| (z, x));
        memory.from_join(&half, &dereference, |_z, &x, &w| (x, w));
        value.from_join(&flow, &flow, |_z, &x, &y| (x, y));
        through.from_join(&flow, &memory, |_z, &x, &w| (w, x));
        value.from_join(&through, &flow, |_w, &x, &y| (x, y));
    }
    Answer::Two(flow.complete().elements)
}

fn dominators(f: &Facts) -> Answer {
    let edge: Relation<Row2> = f.two("edge").into();
    let nodes = f.one("node");
    let mut iteration = Iteration::new();
    let reached = iteration.variable::<Row2>("reached");
    let avoiding = iteration.variable::<Row2>("avoiding"); // (x, d)
    reached.extend([(0, 0)]);
    avoiding.extend(nodes.iter().filter(|d| d.0 != 0).map(|d| (0, d.0)));
    while iteration.changed() {
        reached.from_join(&reached, &edge, |_x, _, &y| (y, 0));
        avoiding.from_leapjoin(
            &avoiding,
            (edge.extend_with(|&(x, _)| x), ValueFilter::from(|&(_, d): &Row2, &y: &u32| d != y)),
            |&(_, d), &y| (y, d),
        );
    }
    let (reached, avoiding) = (reached.complete(), avoiding.complete());
    Answer::Two(absent(reached.iter().flat_map(|&(x, _)| nodes.iter().map(move |d| (x, d.0))), &avoiding))
}

/// Of rows in order those that `sorted` does not have, turned round.
fn absent(rows: impl Iterator<Item = Row2>, sorted: &Relation<Row2>) -> Vec<Row2> {
    let mut rest = &sorted[..];
    rows.filter(|row| {
        rest = from_first(rest, row);
        rest.first() != Some(row)
    })
    .map(|(a, b)| (b, a))
    .collect()
}

fn from_first<'a>(rest: &'a [Row2], row: &Row2) -> &'a [Row2] {
    let near = rest.iter().take(8).take_while(|have| *have < row).count();
    if near < 8 {
        return &rest[near..];
    }
    &rest[rest.partition_point(|have| have < row)..]
}

fn complement(f: &Facts) -> Answer {
    let paths = paths_by_end(f.two("edge"));
    let mut nodes = f.one("node");
    nodes.sort();
    Answer::Two(absent(nodes.iter().flat_map(|y| nodes.iter().map(move |x| (y.0, x.0))), &paths))
}

fn triangles(f: &Facts) -> Answer {
    let rows = f.two("edge");
    let edge: Relation<Row2> = rows.clone().into();
    let mut iteration = Iteration::new();
    let xy = iteration.variable::<Row2>("xy");
    let triangle = iteration.variable::<Row3>("triangle");
    xy.extend(rows);
    while iteration.changed() {
        triangle.from_leapjoin(&xy, (edge.extend_with(|&(_, y)| y), edge.extend_with(|&(x, _)| x)), |&(x, y), &z| (x, y, z));
    }
    Answer::Three(triangle.complete().elements)
}

fn orders(f: &Facts) -> Answer {
    let some = f.wide("order").iter().filter(|r| r[4] == 7).map(|r| (r[1], (r[0], r[2], r[5])));
    let order: Relation<(u32, Row3)> = some.collect();
    let customer: Relation<(u32, ())> = f.two("customer").iter().filter(|r| r.1 == 3).map(|r| (r.0, ())).collect();
    let product: Relation<(u32, ())> = f.two("product").iter().filter(|r| r.1 < 20).map(|r| (r.0, ())).collect();
    let of: Relation<(u32, Row3)> = Relation::from_join(&order, &customer, |&c, &(id, p, amount), _| (p, (id, c, amount)));
    let wanted: Relation<Row3> = Relation::from_join(&of, &product, |_p, &row, _| row);
    Answer::Three(wanted.elements)
}

fn people(f: &Facts) -> Answer {
    let follows: Relation<Row2> = f.two("follows").into();
    let back = swapped(&follows);
    let lives: Relation<Row2> = f.two("lives").into();
    let two_steps: Relation<Row2> = Relation::from_join(&back, &follows, |_b, &a, &c| (a, c));
    let steps = follows.merge(two_steps);
    let placed: Relation<(Row2, u32)> = Relation::from_join(&steps, &lives, |&a, &b, &city| ((b, city), a));
    let there: Relation<(Row2, ())> = lives.iter().map(|&row| (row, ())).collect();
    let found: Relation<Row2> = Relation::from_join(&placed, &there, |&(b, _), &a, _| (a, b));
    Answer::Two(found.elements)
}

pub fn run(program: &str, f: &Facts) -> Answer {
    match program {
        "closure" => closure(f),
        "generation" => generation(f),
        "pointers" => pointers(f),
        "flows" => flows(f),
        "dominators" => dominators(f),
        "complement" => complement(f),
        "triangles" => triangles(f),
        "orders" => orders(f),
        "people" => people(f),
        _ => Answer::NotWritten,
    }
}
