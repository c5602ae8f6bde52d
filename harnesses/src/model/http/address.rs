//! Where an endpoint is: its base URL, made regular, and the address of a model's method under it.

use std::net::IpAddr;

use reqwest::Url;

use super::format::ApiFormat;
use super::location::VertexLocation;

/// An endpoint's address.
#[derive(Debug, Clone)]
pub(super) struct Address {
    format: &'static ApiFormat,
    base: Url,
    /// Host, and port where it is not the usual one.
    host: String,
    /// Project and region.
    vertex: Option<VertexLocation>,
}

impl Address {
    pub(super) fn new(
        format: &'static ApiFormat,
        base_url: Option<&str>,
        vertex: Option<&VertexLocation>,
    ) -> Result<Self, String> {
        if format.needs_location && vertex.is_none() {
            return Err("Vertex AI needs a project and a region: give --vertex-project and \
                 --vertex-region"
                .to_owned());
        }
        let written = match base_url {
            Some(given) => given.to_owned(),
            None => (format.base_url)(vertex),
        };
        let mut base = Url::parse(written.trim()).map_err(|error| {
            format!("`{written}` is not a URL ({error}): write it as https://host/path")
        })?;
        check(&base)?;
        let path = (format.base_path)(base.path().trim_end_matches('/'));
        base.set_path(&path);
        let name = base.host_str().unwrap_or_default();
        let host = base.port().map_or_else(|| name.to_owned(), |port| format!("{name}:{port}"));
        Ok(Self { format, base, host, vertex: vertex.cloned() })
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    pub(super) fn base_url(&self) -> String {
        let base = self.base.as_str().trim_end_matches('/').to_owned();
        // The project and region decide what answers, as the rest of the address does.
        match &self.vertex {
            Some(VertexLocation { project, region }) if self.format.needs_location => {
                format!("{base}/projects/{project}/locations/{region}")
            }
            _ => base,
        }
    }

    pub(super) fn is_loopback(&self) -> bool {
        let name = self.base.host_str().unwrap_or_default();
        let bare = name.trim_start_matches('[').trim_end_matches(']');
        name == "localhost" || bare.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
    }

    /// Whether it leaves this machine unencrypted.
    pub(super) fn is_plain_and_far(&self) -> bool {
        self.base.scheme() == "http" && !self.is_loopback()
    }

    /// Whether it is OpenAI itself, whose models do not take some of what others do.
    pub(super) fn is_openai(&self) -> bool {
        self.base.host_str() == Some("api.openai.com")
    }

    /// The address of the method that answers for a model.
    pub(super) fn of(&self, model: &str) -> Result<Url, String> {
        let mut url = self.base.clone();
        url.path_segments_mut()
            .map_err(|()| "the base URL cannot have a path".to_owned())?
            .pop_if_empty()
            .extend((self.format.method)(model, self.vertex.as_ref()));
        Ok(url)
    }
}

fn check(base: &Url) -> Result<(), String> {
    // Neither the URL itself nor a part of it is repeated: there may be a key in it.
    if !matches!(base.scheme(), "http" | "https") || base.host_str().is_none() {
        return Err("the base URL must begin with http://host or https://host".to_owned());
    }
    if !base.username().is_empty() || base.password().is_some() {
        return Err(
            "the base URL holds a user or password: keys go into the environment".to_owned()
        );
    }
    if base.query().is_some() || base.fragment().is_some() {
        return Err("the base URL has something after its path: leave it out, keys go into the \
             environment"
            .to_owned());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::providers::format;
    use super::*;
    use crate::model::request::Provider;

    fn url(provider: Provider, base: Option<&str>, model: &str) -> String {
        let vertex = VertexLocation { project: "p".into(), region: "europe-west1".into() };
        let address = Address::new(format(provider), base, Some(&vertex)).unwrap();
        address.of(model).unwrap().to_string()
    }

    #[test]
    fn methods_are_where_the_providers_document_them() {
        for (provider, base, expected) in [
            (Provider::Anthropic, None, "https://api.anthropic.com/v1/messages"),
            (Provider::Anthropic, Some("https://gw.test/a/v1/"), "https://gw.test/a/v1/messages"),
            (Provider::OpenAi, None, "https://api.openai.com/v1/chat/completions"),
            (
                Provider::OpenAi,
                Some("http://localhost:8080"),
                "http://localhost:8080/v1/chat/completions",
            ),
            (Provider::OpenAi, Some("http://[::1]:1/x/"), "http://[::1]:1/x/chat/completions"),
            (
                Provider::Gemini,
                None,
                "https://generativelanguage.googleapis.com/v1beta/models/m:generateContent",
            ),
            (
                Provider::Vertex,
                None,
                "https://europe-west1-aiplatform.googleapis.com/v1/projects/p/locations/europe-west1/\
                 publishers/anthropic/models/m:rawPredict",
            ),
        ] {
            assert_eq!(url(provider, base, "m"), expected);
        }
        // A model's name cannot leave its place in the path.
        assert!(
            url(Provider::Gemini, None, "../x?y#z")
                .ends_with("/models/..%2Fx%3Fy%23z:generateContent")
        );
    }

    #[test]
    fn a_base_url_that_could_hold_a_key_is_refused_without_repeating_it() {
        for base in
            ["https://user:sk-123456@h/", "https://h/?key=sk-123456", "https://h/#sk-123456"]
        {
            let error = Address::new(format(Provider::OpenAi), Some(base), None).unwrap_err();
            assert!(error.contains("environment") && !error.contains("sk-123456"), "{error}");
        }
        assert!(Address::new(format(Provider::OpenAi), Some("localhost:8080"), None).is_err());
        assert!(Address::new(format(Provider::OpenAi), Some("nonsense"), None).is_err());
        assert!(Address::new(format(Provider::Vertex), None, None).is_err());
    }

    #[test]
    fn only_this_machine_is_local() {
        let local =
            |base| Address::new(format(Provider::OpenAi), Some(base), None).unwrap().is_loopback();
        for base in ["http://localhost:1", "http://127.0.0.1", "http://[::1]:8080/v1"] {
            assert!(local(base), "{base}");
        }
        for base in ["http://localhost.evil.test", "http://10.0.0.1", "https://api.openai.com/v1"] {
            assert!(!local(base), "{base}");
        }
    }
}
