extension FoldedText {
    /// Whether `other` is a part of it, wherever words begin.
    func contains(_ other: FoldedText) -> Bool { self.scalars.contains(other.scalars) }

    /// Whether it begins with `other`.
    func begins(with other: FoldedText) -> Bool { self.scalars.starts(with: other.scalars) }
}
