//! datafrog and Ascent as peers: `peers datafrog|ascent PROGRAM FOLDER OUT ANSWER RELATION...`. What each does is
//! chosen by the program's name. Ids are 32 bits; strings become ids while they are loaded.
mod with_ascent;
mod with_datafrog;

use std::collections::HashMap;
use std::io::Write;

pub type Row2 = (u32, u32);
pub type Row3 = (u32, u32, u32);

/// The relations of a folder, by column.
pub struct Facts {
    rows: HashMap<String, Vec<Vec<u32>>>,
}

impl Facts {
    pub fn one(&self, name: &str) -> Vec<(u32,)> {
        self.rows[name].iter().map(|r| (r[0],)).collect()
    }
    pub fn two(&self, name: &str) -> Vec<Row2> {
        self.rows[name].iter().map(|r| (r[0], r[1])).collect()
    }
    pub fn three(&self, name: &str) -> Vec<Row3> {
        self.rows[name].iter().map(|r| (r[0], r[1], r[2])).collect()
    }
    pub fn wide(&self, name: &str) -> &[Vec<u32>] {
        &self.rows[name]
    }
}

/// What a program answers, rows of numbers or of ids of strings.
pub enum Answer {
    Two(Vec<Row2>),
    Three(Vec<Row3>),
    Totals(Vec<(u32, u64, u64, u32, u32)>),
    NotWritten,
}

fn load(folder: &str, signatures: &[String], names: &mut Vec<String>) -> Facts {
    let mut ids = HashMap::new();
    let mut rows = HashMap::new();
    for signature in signatures {
        let (name, types) = signature.split_once(':').expect("a signature");
        let text = std::fs::read_to_string(format!("{folder}/{name}.tsv")).expect("a relation");
        let mut value = |(kind, text): (char, &str)| {
            if kind == 'i' {
                return text.parse().unwrap_or(u32::MAX);
            }
            *ids.entry(text.to_string()).or_insert_with(|| {
                names.push(text.to_string());
                names.len() as u32 - 1
            })
        };
        rows.insert(
            name.to_string(),
            text.lines().map(|line| types.chars().zip(line.split('\t')).map(&mut value).collect()).collect(),
        );
    }
    Facts { rows }
}

extern "C" {
    /// Of the C library: microseconds of processor time, user and system.
    fn clock() -> std::ffi::c_long;
}

fn cpu() -> f64 {
    // Sound: it takes nothing, and only reads.
    unsafe { clock() as f64 / 1e6 }
}

fn peak() -> String {
    let text = std::fs::read_to_string("/proc/self/status").expect("status");
    let line = text.lines().find(|l| l.starts_with("VmHWM")).unwrap();
    line.split_whitespace().nth(1).unwrap().to_string()
}

fn write(out: &str, answer: Answer, strings: bool, names: &[String]) -> std::io::Result<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(out)?);
    match answer {
        Answer::Two(rows) if strings => {
            for (a, b) in rows {
                writeln!(out, "{}\t{}", names[a as usize], names[b as usize])?;
            }
        }
        Answer::Two(rows) => {
            for (a, b) in rows {
                writeln!(out, "{a}\t{b}")?;
            }
        }
        Answer::Three(rows) => {
            for (a, b, c) in rows {
                writeln!(out, "{a}\t{b}\t{c}")?;
            }
        }
        Answer::Totals(rows) => {
            for (a, n, sum, least, most) in rows {
                writeln!(out, "{a}\t{n}\t{sum}\t{least}\t{most}")?;
            }
        }
        Answer::NotWritten => {}
    }
    out.flush()
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let program = std::path::Path::new(&args[2]).file_stem().unwrap().to_str().unwrap();
    let mut names = Vec::new();
    let begun = cpu();
    let facts = load(&args[3], &args[6..], &mut names);
    let loaded = cpu();
    let answer = match args[1].as_str() {
        "datafrog" => with_datafrog::run(program, &facts),
        _ => with_ascent::run(program, &facts),
    };
    if matches!(answer, Answer::NotWritten) {
        eprintln!("no program of {} for it", args[1]);
        std::process::exit(3);
    }
    println!("{{\"load\": {:.6}, \"eval\": {:.6}, \"kib\": {}}}", loaded - begun, cpu() - loaded, peak());
    write(&args[4], answer, args[5].ends_with('s'), &names).expect("the answer is written");
}
