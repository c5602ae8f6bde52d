//! The secrets are made up, and put together when the tests run, so that nothing that scans the
//! repository takes them for real ones.

use proptest::prelude::*;

use super::*;

/// Characters drawn from an alphabet, the same each time but without a pattern.
fn drawn(alphabet: &str, length: usize, seed: u64) -> String {
    let alphabet: Vec<char> = alphabet.chars().collect();
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let next = |_| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        alphabet[usize::try_from(state >> 33).unwrap() % alphabet.len()]
    };
    (0..length).map(next).collect()
}

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const MIXED: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const HEX: &str = "0123456789abcdef";

fn mixed(length: usize, seed: u64) -> String {
    drawn(MIXED, length, seed)
}

fn jwt() -> String {
    // {"alg":"HS256","typ":"JWT"} and {"sub":"1234567890","name":"Ada"}.
    let parts =
        ["eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9", "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkFkYSJ9"];
    format!("{}.{}.{}", parts[0], parts[1], mixed(43, 1))
}

fn private_key() -> String {
    let kind = "RSA PRIVATE KEY";
    let lines: Vec<String> = (0..12).map(|line| mixed(64, 100 + line)).collect();
    format!("-----BEGIN {kind}-----\n{}\n-----END {kind}-----", lines.join("\n"))
}

/// A kind, the text around a secret (`{}`), and the secret.
fn secrets() -> Vec<(&'static str, &'static str, String)> {
    let digits = "0123456789";
    vec![
        ("AWS access key", "{}", format!("AKIA{}", drawn(UPPER, 16, 2))),
        ("AWS secret key", "aws_secret_access_key = {}", mixed(40, 3)),
        ("GitHub token", "{}", format!("ghp_{}", mixed(36, 4))),
        ("GitHub fine-grained token", "{}", format!("github_pat_{}", mixed(82, 5))),
        ("GitLab token", "{}", format!("glpat-{}", mixed(20, 6))),
        (
            "Slack bot token",
            "{}",
            format!("xoxb-{}-{}-{}", drawn(digits, 12, 7), drawn(digits, 12, 8), mixed(24, 9)),
        ),
        (
            "Slack webhook",
            "{}",
            format!(
                "https://hooks.slack.com/services/T{}/B{}/{}",
                drawn(UPPER, 8, 1),
                drawn(UPPER, 8, 2),
                mixed(24, 10)
            ),
        ),
        ("Stripe key", "{}", format!("sk_live_{}", mixed(24, 11))),
        ("OpenAI key", "{}", format!("sk-proj-{}T3BlbkFJ{}", mixed(74, 12), mixed(74, 13))),
        ("Anthropic key", "{}", format!("sk-ant-api03-{}AA", mixed(93, 14))),
        ("Google key", "{}", format!("AIza{}", mixed(35, 15))),
        ("npm token", "{}", format!("npm_{}", drawn(LOWER, 36, 16))),
        ("PyPI token", "{}", format!("pypi-AgEIcHlwaS5vcmc{}", mixed(70, 17))),
        ("Hugging Face token", "{}", format!("hf_{}", drawn(&MIXED[..52], 34, 18))),
        ("SendGrid key", "{}", format!("SG.{}.{}", mixed(22, 19), mixed(43, 20))),
        ("DigitalOcean token", "{}", format!("dop_v1_{}", drawn(HEX, 64, 21))),
        ("Vault token", "{}", format!("hvs.{}", mixed(95, 22))),
        (
            "age key",
            "{}",
            format!("AGE-SECRET-KEY-1{}", drawn("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58, 23)),
        ),
        ("JWT", "{}", jwt()),
        ("private key", "{}", private_key()),
        ("password in a URL", "postgres://app:{}@db.internal:5432/main", mixed(16, 24)),
        ("key in an assignment", "api_key = \"{}\"", mixed(40, 25)),
        (
            "bearer token",
            "curl -H \"Authorization: Bearer {}\" https://api.internal/v1",
            mixed(40, 26),
        ),
        ("header", "headers = {\"Authorization\": \"Bearer {}\"}", mixed(40, 28)),
        ("header line", "authorization: Basic {}", mixed(32, 29)),
        ("environment variable", "export SERVICE_API_TOKEN={}", mixed(40, 27)),
    ]
}

/// A text as the value of a JSON string.
fn escaped(text: &str) -> String {
    let quoted = serde_json::to_string(text).unwrap();
    quoted[1..quoted.len() - 1].to_owned()
}

/// A text around a secret, plain and as it stands in JSON, and in JSON inside JSON.
fn forms(around: &str, secret: &str) -> [(&'static str, String, String); 3] {
    let plain = format!("first line\n{}\nlast line", around.replace("{}", secret));
    let (json, hidden) = (escaped(&plain), escaped(secret));
    let (nested, hidden_in_nested) = (escaped(&json), escaped(&hidden));
    [
        ("plain", plain, secret.to_owned()),
        ("JSON", json, hidden),
        ("JSON in JSON", nested, hidden_in_nested),
    ]
}

#[test]
fn secrets_of_each_kind_are_masked_and_nothing_around_them() {
    let redactor = Redactor::new();
    for (kind, around, secret) in secrets() {
        for (form, text, hidden) in forms(around, &secret) {
            let redacted = redactor.redact(&text);
            assert_eq!(redacted.total(), 1, "{kind}, {form}: {redacted:?}");
            let rule = redacted.replaced.keys().next().unwrap();
            let expected = text.replace(&hidden, &format!("[redacted {rule}]"));
            assert_eq!(redacted.text, expected, "{kind}, {form}");
        }
    }
}

/// What transcripts are full of and is no secret.
#[test]
fn digests_ids_and_images_are_left() {
    let uuid = format!("{}-{}-4{}-a{}-{}", hex(8, 1), hex(4, 2), hex(3, 3), hex(3, 4), hex(12, 5));
    let base64 =
        drawn("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 20_000, 7);
    let texts = [
        format!("commit {}", hex(40, 1)),
        format!("index {}..{} 100644", hex(7, 2), hex(7, 3)),
        format!("sha256:{}", hex(64, 4)),
        format!("\"uuid\": \"{uuid}\", \"parentUuid\": \"{uuid}\", \"sessionId\": \"{uuid}\""),
        format!("{{\"id\":\"msg_01{}\",\"type\":\"message\"}}", mixed(22, 5)),
        format!(
            "{{\"tool_use_id\":\"toolu_01{}\",\"requestId\":\"req_011{}\"}}",
            mixed(22, 6),
            mixed(21, 7)
        ),
        format!("\"integrity\": \"sha512-{}==\"", &base64[..86]),
        format!("checksum = \"{}\"", hex(64, 8)),
        format!("\"data\":\"iVBORw0KGgo{base64}\""),
        format!("![x](data:image/png;base64,iVBORw0KGgo{base64})"),
        format!("\"signature\":\"Er{}\"", &base64[..600]),
        format!("h1:{}= go.sum", &base64[..43]),
        "ssh-ed25519 fingerprint SHA256:n0tAs3cretButAPublicFingerprintOfAKey0123456".to_owned(),
        "api_key = os.environ[\"SERVICE_API_KEY\"]".to_owned(),
        "headers = {\"Authorization\": f\"Bearer {token}\"}".to_owned(),
        "Authorization: Bearer $ACCESS_TOKEN_FOR_STAGING1".to_owned(),
        "max_tokens = 4096, cache_read_input_tokens: 123456".to_owned(),
        "let token = self.next_token(); fn secret_key_for(user: &User)".to_owned(),
        format!("claude-sonnet-4-5-20250929 gpt-4o-2024-08-06 {}", "a".repeat(5000)),
    ];
    let redactor = Redactor::new();
    for text in texts {
        for (form, text, _) in forms("{}", &text) {
            let redacted = redactor.redact(&text);
            assert_eq!(redacted.replaced, BTreeMap::new(), "{form}: {}", redacted.text);
            assert!(matches!(redacted.text, Cow::Borrowed(same) if same == text));
        }
    }
}

fn hex(length: usize, seed: u64) -> String {
    drawn(HEX, length, seed)
}

/// The text comes from a run, so it is not for it to say what may be shown.
#[test]
fn an_allow_comment_excuses_nothing() {
    let secret = format!("ghp_{}", mixed(36, 4));
    let text = format!("token = \"{secret}\" # gitleaks:allow betterleaks:allow");
    assert!(!Redactor::new().redact(&text).text.contains(&secret));
}

#[test]
fn what_only_looks_like_a_mark_is_searched() {
    let secret = format!("ghp_{}", mixed(36, 4));
    let text = format!("[redacted {secret}] [redacted jwt] [redacted ");
    assert_eq!(
        Redactor::new().redact(&text).text,
        "[redacted [redacted github-pat]] [redacted jwt] [redacted "
    );
}

#[test]
fn repeated_secrets_are_each_counted() {
    let (first, second) = (format!("ghp_{}", mixed(36, 4)), format!("ghp_{}", mixed(36, 5)));
    let redacted = Redactor::new().redact(&format!("{first} {second} {first}")).replaced;
    assert_eq!(redacted, BTreeMap::from([(RuleId("github-pat".to_owned()), 3)]));
}

/// Made so that each round lays one more bare: masked as a whole in the end.
#[test]
fn a_text_that_needs_too_many_rounds_is_masked_whole() {
    let find = |text: &str| -> Vec<Passage> {
        let last = text.rfind('x').map(|at| at..at + 1);
        last.into_iter().map(|range| Passage { range, rule: RuleId("jwt".to_owned()) }).collect()
    };
    let few = until_nothing_is_found("a x x", find);
    assert_eq!((few.text.as_ref(), few.total()), ("a [redacted jwt] [redacted jwt]", 2));
    let letters = "x".repeat(ROUNDS + 1);
    let many = until_nothing_is_found(&letters, |text| match text {
        "[redacted rounds-exhausted]" => Vec::new(),
        text => find(text),
    });
    assert_eq!(many.text, "[redacted rounds-exhausted]");
    assert!(Redactor::new().unmarked(&many.text).is_empty());
}

fn fragment() -> impl Strategy<Value = String> {
    let secrets: Vec<String> =
        secrets().into_iter().map(|(_, around, secret)| around.replace("{}", &secret)).collect();
    let marks = ["[redacted jwt]", "[redacted ", "]", "[redacted nonsense]"];
    let glue = [
        "\\",
        "\n",
        "\\n",
        "\\\"",
        "\"",
        "\\u00e9",
        "é",
        " ",
        "password=",
        "Authorization: Bearer ",
        "𝕊",
    ];
    prop_oneof![
        3 => prop::sample::select(secrets),
        3 => prop::sample::select(glue.map(str::to_owned).to_vec()),
        1 => prop::sample::select(marks.map(str::to_owned).to_vec()),
        2 => "[a-zA-Z0-9_=:/+.\\\\\"-]{0,40}",
        1 => ".{0,12}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// Whatever a text is made of: redacting twice is redacting once, nothing is counted where
    /// nothing changed, and JSON stays JSON.
    #[test]
    fn redacting_is_idempotent_and_keeps_json(parts in prop::collection::vec(fragment(), 0..8)) {
        let redactor = Redactor::new();
        let plain = parts.concat();
        let json = serde_json::to_string(&serde_json::json!({ "a": [plain], "b": 1 })).unwrap();
        let nested = serde_json::to_string(&json).unwrap();
        for text in [&plain, &json, &nested] {
            let once = redactor.redact(text);
            let twice = redactor.redact(&once.text);
            prop_assert_eq!(&twice.text, &once.text);
            prop_assert_eq!(twice.total(), 0);
            prop_assert_eq!(once.replaced.is_empty(), *text == once.text);
        }
        for text in [&json, &nested] {
            let redacted = redactor.redact(text).text;
            let still_json = serde_json::from_str::<serde_json::Value>(&redacted).is_ok();
            prop_assert!(still_json, "{}", redacted);
        }
    }
}
