//! Medians and percentiles.

/// The value below which that share of the values lies.
pub(crate) fn percentile(values: &[f64], share: f64) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let index = ((sorted.len() as f64 - 1.0) * share).round() as usize;
    sorted.get(index).copied().unwrap_or(f64::NAN)
}

/// The value in the middle.
pub(crate) fn median(values: &[f64]) -> f64 {
    percentile(values, 0.5)
}
