//! How random a secret looks.

/// The Shannon entropy of bytes, in bits a byte.
#[expect(clippy::cast_precision_loss, reason = "no text has that many bytes")]
pub(super) fn shannon(bytes: &[u8]) -> f64 {
    if bytes.is_empty() {
        return 0.0;
    }
    let mut counts = [0_usize; 256];
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    let shares = counts.iter().filter(|&&count| count > 0);
    let shares = shares.map(|&count| count as f64 / bytes.len() as f64);
    shares.map(|share| -share * share.log2()).sum()
}
