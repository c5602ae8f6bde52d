//! Parts of a screen.

/// A rectangle of cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Area {
    pub(super) x: u16,
    pub(super) y: u16,
    pub(super) width: u16,
    pub(super) height: u16,
}

impl Area {
    /// Cuts rows off its top.
    pub(super) fn take_top(&mut self, rows: u16) -> Self {
        let rows = rows.min(self.height);
        let top = Self { height: rows, ..*self };
        *self = self.below(rows);
        top
    }

    /// Cuts rows off its bottom.
    pub(super) fn take_bottom(&mut self, rows: u16) -> Self {
        let rows = rows.min(self.height);
        self.height -= rows;
        Self { y: self.y + self.height, height: rows, ..*self }
    }

    /// Without its first rows.
    pub(super) fn below(self, rows: u16) -> Self {
        let rows = rows.min(self.height);
        Self { y: self.y + rows, height: self.height - rows, ..self }
    }

    /// Without its first columns.
    pub(super) fn right_of(self, columns: u16) -> Self {
        let columns = columns.min(self.width);
        Self { x: self.x + columns, width: self.width - columns, ..self }
    }

    /// Three fifths and two fifths of it, with a gap of two columns.
    pub(super) fn beside(self) -> [Self; 2] {
        let shared = u32::from(self.width.saturating_sub(2));
        // Rounded to the nearest.
        let left = u16::try_from((shared * 6 + 5) / 10).unwrap_or(self.width);
        [Self { width: left, ..self }, self.right_of(left + 2)]
    }

    /// Its upper and lower half; the upper is the greater.
    pub(super) fn halves(self) -> [Self; 2] {
        let upper = self.height.div_ceil(2);
        [Self { height: upper, ..self }, self.below(upper)]
    }
}
