//! The documents: short where they should be, and linked to what is there.

use std::fs;
use std::path::{Path, PathBuf};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The documents at the root and in `docs`.
fn documents() -> Vec<PathBuf> {
    let files = [root().to_owned(), root().join("docs")]
        .into_iter()
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path());
    files.filter(|path| path.extension().is_some_and(|extension| extension == "md")).collect()
}

#[test]
fn the_readme_fits_a_sitting() {
    let bytes = fs::metadata(root().join("README.md")).unwrap().len();
    assert!(bytes <= 12 * 1024, "README.md has {bytes} bytes; details belong into docs/");
}

#[test]
fn every_link_in_the_documents_leads_to_a_file() {
    let mut links = 0;
    for document in documents() {
        let text = fs::read_to_string(&document).unwrap();
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            links += 1;
            let target = document.parent().unwrap().join(file);
            assert!(target.exists(), "{}: {link} leads nowhere", document.display());
        }
    }
    assert!(links > 50, "only {links} links were found");
}
