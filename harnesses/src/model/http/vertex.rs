//! Anthropic's models on Google Cloud's Vertex AI, `rawPredict`: the Messages API with the model in the address
//! and the version in the body.
//!
//! Format: <https://platform.claude.com/docs/en/build-with-claude/claude-on-vertex-ai>.

use serde_json::{Value, json};

use super::anthropic;
use super::format::ApiFormat;
use super::location::VertexLocation;
use crate::model::request::Request;

const VERSION: &str = "vertex-2023-10-16";

pub(super) const FORMAT: ApiFormat = ApiFormat {
    key_variables: &["VERTEX_ACCESS_TOKEN", "GOOGLE_OAUTH_ACCESS_TOKEN"],
    key_header: ("authorization", "Bearer "),
    headers: &[],
    is_spoken_by_others: false,
    needs_location: true,
    base_url: |location| match location.map_or("global", |it| it.region.as_str()) {
        "global" => "https://aiplatform.googleapis.com/v1".to_owned(),
        "us" => "https://aiplatform.us.rep.googleapis.com/v1".to_owned(),
        "eu" => "https://aiplatform.eu.rep.googleapis.com/v1".to_owned(),
        region => format!("https://{region}-aiplatform.googleapis.com/v1"),
    },
    base_path: |path| if path.is_empty() { "/v1" } else { path }.to_owned(),
    method,
    body,
    ..anthropic::FORMAT
};

fn method(model: &str, location: Option<&VertexLocation>) -> Vec<String> {
    let (project, region) =
        location.map_or(("", ""), |it| (it.project.as_str(), it.region.as_str()));
    let model = format!("{model}:rawPredict");
    ["projects", project, "locations", region, "publishers", "anthropic", "models", &model]
        .map(str::to_owned)
        .to_vec()
}

fn body(request: &Request, _: bool) -> Result<Value, String> {
    anthropic::message(request, ("anthropic_version", json!(VERSION)))
}
