use super::*;

#[test]
fn every_bundled_rule_can_be_applied() {
    let rules = RuleSet::bundled();
    assert_eq!(rules.rules.len(), 417);
    let applied: Vec<&Rule> = rules.rules.iter().filter(|rule| rule.pattern.is_some()).collect();
    assert_eq!(applied.len(), 412, "the others are for files of certain paths");
    for rule in applied {
        let regex = rule.regex();
        assert!(regex.is_some_and(|regex| rule.group < regex.captures_len()), "{}", rule.id);
        assert!(rule.keywords().next().is_some(), "{} would never run", rule.id);
    }
}

#[test]
fn every_bundled_filter_can_be_applied() {
    let rules = RuleSet::bundled();
    let of_rules = rules.rules.iter().filter_map(|rule| Some((rule.id(), rule.filter.as_ref()?)));
    let filters: Vec<(&str, &Filter)> = of_rules.chain([("all rules", &rules.filter)]).collect();
    assert_eq!(filters.len(), 369);
    let partly = filters.into_iter().filter(|(_, filter)| !filter.assert_applies());
    // They hold patterns in Go's syntax that Rust's regexes do not have. Such a list matches nothing, and more is
    // masked than betterleaks would.
    assert_eq!(
        partly.map(|(id, _)| id).collect::<Vec<_>>(),
        ["curl-auth-user", "generic-api-key", "mongodb-connection-string", "all rules"]
    );
}

#[test]
fn words_tell_a_name_from_a_secret() {
    assert!(efficiency::reads_well("my-database-password"));
    assert!(!efficiency::reads_well("xK9q2Vz7Lw4Tn8Rb"));
}

#[test]
fn what_stands_for_a_secret_is_none() {
    for value in
        ["", " ", "Changeme", "'example'", "<your-token>", "${TOKEN}", "XXXX", "[REDACTED-12]"]
    {
        assert!(placeholder::is_placeholder(value), "{value}");
    }
    for value in ["<hunter2>", "x", "<a>", "[REDACTED-0]", "hunter2"] {
        assert!(!placeholder::is_placeholder(value), "{value}");
    }
}
