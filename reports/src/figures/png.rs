//! SVG to PNG, with the font that is carried along: the same pixels on every machine.

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree};

use super::error::FigureError;

const FONT: &[u8] = include_bytes!("../../data/fonts/DejaVuSans-subset.ttf");
const FAMILY: &str = "DejaVu Sans";
/// Pixels of the image for one of the drawing: sharp on paper and on dense screens.
const SCALE: f32 = 2.0;

/// The SVG document as a PNG image.
pub fn png(id: &str, svg: &str) -> Result<Vec<u8>, FigureError> {
    let failed = |reason: String| FigureError::Draw { id: id.to_owned(), reason };
    let mut options = Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_font_data(FONT.to_vec());
    fonts.set_sans_serif_family(FAMILY);
    let tree = Tree::from_str(svg, &options).map_err(|e| failed(e.to_string()))?;
    let size = tree.size().to_int_size().scale_by(SCALE);
    let size = size.ok_or_else(|| failed("it has no size".to_owned()))?;
    let mut pixels = Pixmap::new(size.width(), size.height())
        .ok_or_else(|| failed("it is too large".to_owned()))?;
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    pixels.encode_png().map_err(|e| failed(e.to_string()))
}
