//! The key goes into a header and nowhere else, even where the provider repeats it.

use std::path::Path;

use harnesses::model::{Cassette, CassetteMode, Identity, Journal, Ledger, Provider};
use serde_json::json;
use wiremock::ResponseTemplate;

use super::support::{KEY, answer, builder, endpoint, json_response, request, server};

/// Every file under a folder that holds the key.
fn holding_the_key(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding_the_key(&path));
        } else if std::fs::read_to_string(&path).unwrap().contains(KEY) {
            found.push(path.display().to_string());
        }
    }
    found
}

#[tokio::test]
async fn the_key_is_in_no_file_error_or_debug_text() {
    for provider in Provider::ALL {
        let folder = tempfile::tempdir().unwrap();
        // A model, and an error, that repeat the key.
        let parrot = json_response(&answer(provider, &format!("your key is {KEY}")));
        let server = server(vec![
            ResponseTemplate::new(500)
                .set_body_json(json!({"error": {"message": format!("bad key {KEY}")}})),
            parrot,
            ResponseTemplate::new(401).set_body_string(format!("{KEY} is not valid")),
            ResponseTemplate::new(302).insert_header("location", format!("http://x/?k={KEY}")),
        ])
        .await;
        let backend = endpoint(provider, &server.uri());
        assert!(!format!("{backend:?}").contains(KEY), "{provider}");
        let runner = builder(provider, &server.uri())
            .ledger(Ledger::open(&folder.path().join("spend.jsonl")).unwrap())
            .cassette(
                Cassette::open(&folder.path().join("cassette"), CassetteMode::Record).unwrap(),
            )
            .build()
            .unwrap();
        let (journal, _) =
            Journal::open(&folder.path().join("rows.jsonl"), &Identity::new()).unwrap();
        let called = runner.call(&request("q"), 0).await.unwrap();
        assert_eq!(called.completion.text, "your key is [key]");
        journal.append("q", &called.completion.text).unwrap();
        for text in ["refused", "redirected"] {
            let error = runner.call(&request(text), 0).await.unwrap_err();
            assert!(!format!("{error} {error:?}").contains(KEY), "{error}");
            assert!(error.to_string().contains("[key]"), "{error}");
        }
        assert_eq!(holding_the_key(folder.path()), Vec::<String>::new(), "{provider}");
        for got in server.received_requests().await.unwrap() {
            assert!(!got.url.as_str().contains(KEY), "{provider}");
        }
    }
}
