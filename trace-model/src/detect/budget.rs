//! Budget: more dollars or tokens spent than a limit allows.

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};

use super::anomaly::{Anomaly, Scope};
use super::config::AnomalyKind;

/// The budget detector of the run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Budget {
    dollars: Decimal,
    tokens: u64,
    over_dollars: Option<Anomaly>,
    over_tokens: Option<Anomaly>,
}

impl Budget {
    pub(super) fn spend(&mut self, dollars: Decimal, tokens: u64, scope: &mut Scope<'_>) {
        self.dollars = self.dollars.checked_add(dollars).unwrap_or(Decimal::MAX);
        self.tokens = self.tokens.saturating_add(tokens);
        if let Some(limit) = scope.config.budget_dollars {
            let subject = || format!("the limit of ${}", limit.normalize());
            judge(&mut self.over_dollars, self.dollars, limit, subject, scope);
        }
        if let Some(limit) = scope.config.budget_tokens {
            let subject = || format!("the limit of {limit} tokens");
            let (spent, limit) = (Decimal::from(self.tokens), Decimal::from(limit));
            judge(&mut self.over_tokens, spent, limit, subject, scope);
        }
    }

    pub(super) fn active(&self) -> impl Iterator<Item = &Anomaly> {
        self.over_dollars.iter().chain(self.over_tokens.iter())
    }
}

fn judge(
    active: &mut Option<Anomaly>,
    spent: Decimal,
    limit: Decimal,
    subject: impl FnOnce() -> String,
    scope: &mut Scope<'_>,
) {
    if spent <= limit {
        scope.clear(active.take());
        return;
    }
    let anomaly = active
        .get_or_insert_with(|| scope.raise(AnomalyKind::Budget, None, subject(), scope.seq, 0));
    anomaly.count = percent(spent, limit);
    let grave = limit.checked_mul(Decimal::from(scope.config.budget_escalate));
    if grave.is_some_and(|grave| spent >= grave) {
        anomaly.escalate(scope.seq);
    }
}

/// Whole percent of the limit, rounded down; of a limit of nothing, the largest number.
fn percent(spent: Decimal, limit: Decimal) -> u64 {
    spent
        .checked_div(limit)
        .and_then(|share| share.checked_mul(Decimal::ONE_HUNDRED))
        .and_then(|percent| percent.to_u64())
        .unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use rust_decimal::Decimal;

    use super::super::feed::Feed;
    use super::super::{AnomalyKind, DetectorConfig};

    fn cents(cents: i64) -> Decimal {
        Decimal::new(cents, 2)
    }

    #[test]
    fn no_limit_no_anomaly() {
        let mut f = Feed::default();
        f.spend(cents(1_000_000), u64::MAX);
        f.spend(cents(1_000_000), u64::MAX);
        assert!(f.active().is_empty());
    }

    #[test]
    fn dollars_above_the_limit_raise_twice_the_limit_escalates() {
        let config =
            DetectorConfig { budget_dollars: Some(cents(500)), ..DetectorConfig::default() };
        let mut f = Feed::new(config);
        f.spend(cents(500), 1);
        assert!(f.active().is_empty(), "at the limit is within it");
        let over = f.spend(cents(1), 1);
        let a = f.only_active();
        assert_eq!((a.kind, a.raised_at, a.thread), (AnomalyKind::Budget, over, None));
        assert_eq!(a.message(), "spent 100 % of the limit of $5");
        f.spend(cents(498), 1);
        assert_eq!(f.only_active().escalated_at, None);
        let twice = f.spend(cents(1), 1);
        assert_eq!(f.only_active().escalated_at, Some(twice));
        let corrected = f.spend(cents(-500), 0);
        assert!(f.active().is_empty());
        assert_eq!(f.only_cleared().cleared_at, Some(corrected));
    }

    #[test]
    fn tokens_have_a_limit_of_their_own() {
        let config = DetectorConfig { budget_tokens: Some(1000), ..DetectorConfig::default() };
        let mut f = Feed::new(config);
        f.spend(Decimal::ZERO, 1000);
        assert!(f.active().is_empty());
        f.spend(Decimal::ZERO, 1500);
        assert_eq!(f.only_active().message(), "spent 250 % of the limit of 1000 tokens");
        assert!(f.only_active().escalated_at.is_some());
    }
}
