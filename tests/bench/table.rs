//! Tables on the standard output.

/// Prints rows under a head; the first column is left-aligned, the others right.
pub(crate) fn print(title: &str, head: &[&str], rows: &[Vec<String>]) {
    let mut widths: Vec<usize> = head.iter().map(|cell| cell.chars().count()).collect();
    for row in rows {
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = (*width).max(cell.chars().count());
        }
    }
    let line = |cells: Vec<String>| {
        let cells = cells.into_iter().zip(&widths).enumerate().map(|(index, (cell, &width))| {
            if index == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        println!("  {}", cells.collect::<Vec<_>>().join("  ").trim_end());
    };
    println!("\n{title}");
    line(head.iter().map(|cell| (*cell).to_owned()).collect());
    for row in rows {
        line(row.clone());
    }
}

/// A ratio.
pub(crate) fn ratio(value: f64, reference: f64) -> String {
    format!("{:.2}", value / reference)
}
