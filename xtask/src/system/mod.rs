//! The system's packages: what is missing, and installing it.

mod debian;
mod distribution;
mod packages;

use anyhow::{Result, bail};

use self::distribution::Distribution;
pub(crate) use self::packages::Purpose;
use crate::consent::Consent;

/// Makes sure that the system has what the purpose needs.
///
/// On Debian and its kin the missing packages are named and installed. Elsewhere the packages are only named, and only
/// where something tells that they are missing: package names drift, and a wrong guess must not stop the work.
pub(crate) fn provide(purpose: Purpose, consent: Consent) -> Result<()> {
    let distribution = Distribution::of_this_machine();
    let needed = packages::needed(distribution, purpose);
    if distribution == Distribution::Debian {
        let missing = debian::missing(needed)?;
        if missing.is_empty() {
            return Ok(());
        }
        consent.ask(&format!("Debian packages missing {}: {}", purpose.shown(), missing.join(" ")))?;
        return debian::install(&missing);
    }
    if let Some(sign) = packages::sign_of_absence(purpose) {
        bail!("{sign}\n{}", distribution.advice(needed, purpose));
    }
    Ok(())
}
