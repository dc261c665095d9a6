//! Ascent: rules as a macro, one hash index for each way a relation is asked.
use crate::{Answer, Facts};
use ascent::aggregators::{count, max, min, not};
use ascent::{ascent, Dual};

mod programs {
    use super::*;
    ascent! {
        pub struct Closure;
        relation edge(u32, u32);
        relation path(u32, u32);
        path(x, y) <-- edge(x, y);
        path(x, z) <-- path(x, y), edge(y, z);
    }
    ascent! {
        pub struct Generation;
        relation parent(u32, u32);
        relation same(u32, u32);
        same(x, y) <-- parent(x, p), parent(y, p);
        same(x, y) <-- parent(x, p), same(p, q), parent(y, q);
    }
    ascent! {
        pub struct Pointers;
        relation new(u32, u32);
        relation assign(u32, u32);
        relation load(u32, u32);
        relation store(u32, u32);
        relation points(u32, u32);
        relation holds(u32, u32);
        points(v, o) <-- new(v, o);
        points(v, o) <-- assign(v, w), points(w, o);
        points(v, o) <-- load(v, w), points(w, p), holds(p, o);
        holds(p, o) <-- store(v, w), points(v, p), points(w, o);
    }
    ascent! {
        pub struct Flows;
        relation assign(u32, u32);
        relation dereference(u32, u32);
        relation flow(u32, u32);
        relation memory_alias(u32, u32);
        relation value_alias(u32, u32);
        flow(x, x) <-- assign(x, _);
        flow(x, x) <-- assign(_, x);
        flow(x, y) <-- assign(x, y);
        flow(x, y) <-- assign(x, z), memory_alias(z, y);
        flow(x, y) <-- flow(x, z), flow(z, y);
        memory_alias(x, x) <-- assign(_, x);
        memory_alias(x, x) <-- assign(x, _);
        memory_alias(x, w) <-- dereference(y, x), value_alias(y, z), dereference(z, w);
        value_alias(x, y) <-- flow(z, x), flow(z, y);
        value_alias(x, y) <-- flow(z, x), memory_alias(z, w), flow(w, y);
    }
    ascent! {
        pub struct Dominators;
        relation edge(u32, u32);
        relation node(u32);
        relation reached(u32);
        relation avoiding(u32, u32);
        relation dominates(u32, u32);
        reached(0);
        reached(y) <-- reached(x), edge(x, y);
        avoiding(d, 0) <-- node(d), if *d != 0;
        avoiding(d, y) <-- avoiding(d, x), edge(x, y), if d != y;
        dominates(d, x) <-- node(d), reached(x), agg () = not() in avoiding(d, x);
    }
    ascent! {
        pub struct Complement;
        relation edge(u32, u32);
        relation node(u32);
        relation path(u32, u32);
        relation apart(u32, u32);
        path(x, y) <-- edge(x, y);
        path(x, z) <-- path(x, y), edge(y, z);
        apart(x, y) <-- node(x), node(y), agg () = not() in path(x, y);
    }
    ascent! {
        pub struct Triangles;
        relation edge(u32, u32);
        relation triangle(u32, u32, u32);
        triangle(x, y, z) <-- edge(x, y), edge(y, z), edge(x, z);
    }
    ascent! {
        pub struct Totals;
        relation sale(u32, u32, u32);
        relation item(u32);
        relation total(u32, u64, u64, u32, u32);
        item(i) <-- sale(i, _, _);
        total(i, n as u64, s, least, most) <-- item(i), agg n = count() in sale(i, _, _),
            agg s = wide_sum(a) in sale(i, _, a), agg least = min(a) in sale(i, _, a), agg most = max(a) in sale(i, _, a);
    }
    ascent! {
        pub struct Shortest;
        relation road(u32, u32, u32);
        relation start(u32);
        lattice way(u32, Dual<u32>);
        relation shortest(u32, u32);
        way(x, Dual(0)) <-- start(x);
        way(y, Dual(c.0 + l)) <-- way(x, c), road(x, y, l), if c.0 + l < 60;
        shortest(y, d.0) <-- way(y, d);
    }
    ascent! {
        pub struct Orders;
        relation order(u32, u32, u32, u32, u32, u32);
        relation customer(u32, u32);
        relation product(u32, u32);
        relation wanted(u32, u32, u32);
        wanted(id, c, amount) <-- order(id, c, p, _, 7, amount), customer(c, 3), product(p, kind), if *kind < 20;
    }
    ascent! {
        pub struct People;
        relation follows(u32, u32);
        relation lives(u32, u32);
        relation neighbours(u32, u32);
        neighbours(a, b) <-- follows(a, b), lives(a, city), lives(b, city);
        neighbours(a, c) <-- follows(a, b), follows(b, c), lives(a, city), lives(c, city);
    }

    /// Sums of 32-bit amounts in 64 bits.
    fn wide_sum<'a>(amounts: impl Iterator<Item = (&'a u32,)>) -> impl Iterator<Item = u64> {
        std::iter::once(amounts.map(|a| *a.0 as u64).sum())
    }
}

macro_rules! solve {
    ($program:ident { $($field:ident: $value:expr),* }, $answer:ident, $kind:ident) => {{
        let mut p = programs::$program::default();
        $(p.$field = $value;)*
        p.run();
        Answer::$kind(p.$answer)
    }};
}

pub fn run(program: &str, f: &Facts) -> Answer {
    match program {
        "closure" => solve!(Closure { edge: f.two("edge") }, path, Two),
        "generation" => solve!(Generation { parent: f.two("parent") }, same, Two),
        "pointers" => solve!(
            Pointers { new: f.two("new"), assign: f.two("assign"), load: f.two("load"), store: f.two("store") }, points, Two),
        "flows" => solve!(Flows { assign: f.two("assign"), dereference: f.two("dereference") }, flow, Two),
        "dominators" => solve!(Dominators { edge: f.two("edge"), node: f.one("node") }, dominates, Two),
        "complement" => solve!(Complement { edge: f.two("edge"), node: f.one("node") }, apart, Two),
        "triangles" => solve!(Triangles { edge: f.two("edge") }, triangle, Three),
        "totals" => solve!(Totals { sale: f.three("sale") }, total, Totals),
        "shortest" => solve!(Shortest { road: f.three("road"), start: f.one("start") }, shortest, Two),
        "orders" => solve!(
            Orders {
                order: f.wide("order").iter().map(|r| (r[0], r[1], r[2], r[3], r[4], r[5])).collect(),
                customer: f.two("customer"),
                product: f.two("product")
            }, wanted, Three),
        "people" => solve!(People { follows: f.two("follows"), lives: f.two("lives") }, neighbours, Two),
        _ => Answer::NotWritten,
    }
}
