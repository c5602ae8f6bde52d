//! The detectors' thresholds. Every number that decides anything is a row of [`table`]; people set it by
//! its key, in a file or in a flag.

mod amount;
mod table;

pub use table::{AnomalyKind, DETECTORS, Detector, DetectorConfig, Threshold};

use crate::settings::{Entry, SettingError, Value, entries};

impl DetectorConfig {
    /// Sets the thresholds that a TOML file sets (`[loop]`, `raise = 4`), and gives each with its line.
    ///
    /// # Errors
    /// If the text is not TOML, names an unknown threshold, or gives a value that it does not accept. The error
    /// names the line.
    pub fn set_all(
        &mut self,
        toml: &str,
    ) -> Result<Vec<(&'static Threshold, usize)>, SettingError> {
        let set = |entry: Entry| match self.set(&entry.key, &entry.value) {
            Ok(threshold) => Ok((threshold, entry.line)),
            Err(error) => Err(error.at(entry.line)),
        };
        entries(toml)?.into_iter().map(set).collect()
    }

    /// Sets one threshold as a flag does (`loop.raise=4`), and gives it.
    ///
    /// # Errors
    /// If it is not an assignment, names an unknown threshold, or gives a value that it does not accept.
    pub fn assign(&mut self, assignment: &str) -> Result<&'static Threshold, SettingError> {
        let (key, value) = assignment
            .split_once('=')
            .ok_or_else(|| SettingError::NotAnAssignment(assignment.to_owned()))?;
        self.set(key.trim(), &Value::Text(value.trim().to_owned()))
    }

    /// Sets the threshold of a key, and gives the threshold.
    ///
    /// # Errors
    /// If there is no threshold with that key, or it does not accept that value.
    pub fn set(&mut self, key: &str, value: &Value) -> Result<&'static Threshold, SettingError> {
        let threshold = thresholds()
            .find(|threshold| threshold.key == key)
            .ok_or_else(|| SettingError::unknown(key, thresholds().map(|it| it.key)))?;
        let found = match value {
            Value::Text(text) if (threshold.set)(self, text) => return Ok(threshold),
            Value::Text(text) => text.clone(),
            Value::List(_) => "a list".to_owned(),
            Value::Other(kind) => (*kind).to_owned(),
        };
        Err(SettingError::Value { key: key.to_owned(), expected: threshold.takes, found })
    }
}

/// The thresholds of all detectors, in order.
pub fn thresholds() -> impl Iterator<Item = &'static Threshold> {
    DETECTORS.iter().flat_map(|detector| detector.thresholds)
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use super::*;

    #[test]
    fn a_file_and_flags_set_thresholds() {
        let mut config = DetectorConfig::default();
        config.set_all("[loop]\nraise = 4\n[budget]\ndollars = 12.50\n").unwrap();
        config.assign("loop.raise = 5").unwrap();
        config.assign("budget.tokens=1000").unwrap();
        let expected = DetectorConfig {
            loop_raise: 5,
            budget_dollars: Some(Decimal::new(1250, 2)),
            budget_tokens: Some(1000),
            ..DetectorConfig::default()
        };
        assert_eq!(config, expected);
        config.assign("budget.tokens=none").unwrap();
        assert_eq!(config.budget_tokens, None);
    }

    #[test]
    fn what_is_wrong_is_named_with_its_remedy() {
        let file = |text: &str| DetectorConfig::default().set_all(text).unwrap_err().to_string();
        let flag = |text: &str| DetectorConfig::default().assign(text).unwrap_err().to_string();
        assert_eq!(
            file("[loop]\n\nraize = 4"),
            "line 3: there is no setting `loop.raize`; did you mean `loop.raise`?"
        );
        assert_eq!(
            file("loop = 4"),
            "line 1: there is no setting `loop`; did you mean `loop.raise`?"
        );
        assert_eq!(
            file("[budget]\ndollars = true"),
            "line 2: `budget.dollars` takes an amount in dollars, as in 12.50, or none, not `boolean`"
        );
        assert_eq!(flag("loop.raise=-1"), "`loop.raise` takes a whole number, not `-1`");
        assert_eq!(flag("loop.raise"), "write a setting as in `loop.raise=4`, not `loop.raise`");
        assert!(flag("budget.dollars=-1").contains("an amount in dollars"));
    }

    #[test]
    fn every_threshold_reads_back_what_it_was_set_to() {
        for threshold in thresholds() {
            let mut config = DetectorConfig::default();
            let default = (threshold.get)(&config);
            config.set(threshold.key, &Value::Text("7".to_owned())).unwrap();
            assert_eq!((threshold.get)(&config), "7", "{}", threshold.key);
            config.set(threshold.key, &Value::Text(default)).unwrap();
            assert_eq!(config, DetectorConfig::default(), "{}", threshold.key);
        }
    }
}
