//! The server: pages and their changes, on this machine's loopback address alone.

use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::middleware::from_fn_with_state;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::get;
use futures_util::stream;
use tokio::net::TcpListener;

use super::guard::guard;
use super::site::{Page, Site};
use crate::fault::FAULT;

/// How long the server waits for responses in flight when it shuts down.
const GRACE: Duration = Duration::from_millis(300);

/// A page that cannot be served.
#[derive(Debug, thiserror::Error)]
pub enum LiveError {
    /// The port is taken.
    #[error("port {0} is in use; name another with --port, or omit it to use a free one")]
    PortInUse(u16),
    /// It cannot be listened to.
    #[error("cannot listen on 127.0.0.1:{port}: {source}")]
    Listen {
        /// The port.
        port: u16,
        /// Why not.
        source: io::Error,
    },
    /// The server could not be started, or broke.
    #[error("the server has failed: {0}")]
    Failed(#[from] io::Error),
}

/// Where pages are served.
#[derive(Debug, Clone, Copy)]
pub struct Served {
    /// The address.
    pub address: SocketAddr,
}

/// Serves until interrupted; calls `ready` with the address once the server accepts connections.
pub fn serve(site: Arc<Site>, port: u16, ready: impl FnOnce(Served)) -> Result<(), LiveError> {
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    let result = runtime.block_on(async {
        let listener = listen(port).await?;
        let address = listener.local_addr()?;
        // Listened to from its first poll on: before anybody can know that there is something to interrupt.
        let mut interrupt = pin!(tokio::signal::ctrl_c());
        let first = poll_fn(|context| Poll::Ready(interrupt.as_mut().poll(context))).await;
        if let Poll::Ready(interrupted) = first {
            return Ok(interrupted?);
        }
        ready(Served { address });
        tokio::select! {
            ended = axum::serve(listener, router(site, address.port())) => Ok(ended?),
            // Browsers hold their connections open: they are not waited for.
            interrupted = interrupt => Ok(interrupted?),
        }
    });
    runtime.shutdown_timeout(GRACE);
    result
}

async fn listen(port: u16) -> Result<TcpListener, LiveError> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await.map_err(|source| match source.kind() {
        io::ErrorKind::AddrInUse => LiveError::PortInUse(port),
        _ => LiveError::Listen { port, source },
    })
}

fn router(site: Arc<Site>, port: u16) -> Router {
    Router::new()
        .route("/", get(front))
        .route("/events", get(front_events))
        .route("/s/{name}", get(session))
        .route("/s/{name}/events", get(session_events))
        .route("/favicon.ico", get(|| async { StatusCode::NO_CONTENT }))
        .fallback(|| async { (StatusCode::NOT_FOUND, "there is no such page\n") })
        .layer(from_fn_with_state(port, guard))
        .with_state(site)
}

/// The revision that a browser shows, of `since=N`.
fn since(query: Option<&str>) -> u64 {
    let number = query.and_then(|query| query.strip_prefix("since="));
    number.and_then(|number| number.parse().ok()).unwrap_or(0)
}

async fn front(State(site): State<Arc<Site>>) -> Html<String> {
    let page = site.front().borrow().clone();
    Html(page.page("/events".to_owned(), None))
}

async fn front_events(State(site): State<Arc<Site>>, RawQuery(query): RawQuery) -> Response {
    changes(site.front(), since(query.as_deref()))
}

async fn session(State(site): State<Arc<Site>>, Path(name): Path<String>) -> Response {
    let events = format!("/s/{name}/events");
    match page_of(site, name).await {
        Ok(page) => {
            let page = page.borrow().clone();
            Html(page.page(events, Some("/"))).into_response()
        }
        Err(refused) => refused,
    }
}

async fn session_events(
    State(site): State<Arc<Site>>,
    Path(name): Path<String>,
    RawQuery(query): RawQuery,
) -> Response {
    match page_of(site, name).await {
        Ok(page) => changes(page, since(query.as_deref())),
        Err(refused) => refused,
    }
}

/// A session's page; reading a long run takes a while, which other pages must not wait for.
async fn page_of(site: Arc<Site>, name: String) -> Result<Page, Response> {
    let found = tokio::task::spawn_blocking(move || site.session(&name)).await;
    match found {
        Ok(Some(Ok(page))) => Ok(page),
        Ok(Some(Err(error))) => {
            let text = trace_model::text::verbatim(&error.to_string());
            Err((StatusCode::UNPROCESSABLE_ENTITY, format!("{text}\n")).into_response())
        }
        Ok(None) => Err((StatusCode::NOT_FOUND, "there is no such session\n").into_response()),
        // It panicked, and only this request is lost.
        Err(_) => Err((StatusCode::INTERNAL_SERVER_ERROR, format!("{FAULT}\n")).into_response()),
    }
}

/// Streams changes to a browser.
fn changes(page: Page, since: u64) -> Response {
    let events = stream::unfold((page, since), |(mut page, since)| async move {
        loop {
            let published = page.borrow_and_update().clone();
            if published.revision() != since {
                let event = Event::default().data(published.change_since(since));
                return Some((Ok::<_, Infallible>(event), (page, published.revision())));
            }
            page.changed().await.ok()?;
        }
    });
    Sse::new(events).keep_alive(KeepAlive::default()).into_response()
}
