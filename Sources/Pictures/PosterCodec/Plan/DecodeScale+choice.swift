extension DecodeScale {
    /// The smallest scale that leaves the resampler its minimum factor.
    ///
    /// - Parameter shrinkage: Pixels of the original per pixel of the result, along the side where they are fewer.
    static func smallest(for source: ImageHeader, shrinkage: Double, halvesChroma: Bool) -> DecodeScale {
        source.format.decoding.smallestScale(for: source, shrinkage: shrinkage, halvesChroma: halvesChroma)
    }

    /// The scales of decodes that targets of different scales share, ascending. They are few, which limits the number
    /// of different files that may be rendered for one target; see ``DecodeRecipe``.
    static func shared(for source: ImageHeader) -> [DecodeScale] { source.format.decoding.sharedScales(for: source) }

    /// The scale of one decode for targets that need `scales` alone: the largest, rounded up to one of ``shared(for:)``
    /// if the scales differ.
    ///
    /// - Parameter scales: At least one.
    static func common(_ scales: some Collection<DecodeScale>, for source: ImageHeader) -> DecodeScale {
        let largest = scales.max() ?? .none
        if scales.allSatisfy({ $0 == largest }) { return largest }
        return Self.shared(for: source).first { $0 >= largest } ?? largest
    }
}
