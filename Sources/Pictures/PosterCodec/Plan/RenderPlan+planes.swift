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

extension DecodedPlane {
    static func planes(of source: ImageHeader, at scale: DecodeScale) -> [DecodedPlane] {
        var planes = source.format.decoding.colourPlanes(of: source, at: scale)
        if source.hasAlpha { planes.append(self.whole(at: scale)) }
        return planes
    }
}

extension RenderPlan {
    /// How often the rows of the planes are halved before the filter; see
    /// ``level(samplesPerPixel:decodedAt:pixelsPerSample:)``.
    public var levels: (luma: Int, chroma: Int) {
        let planes = DecodedPlane.planes(of: self.source, at: self.scale)
        let luma = planes.first.map(self.level) ?? 0
        return (luma, planes.first(where: \.isChroma).map(self.level) ?? luma)
    }

    /// How often the rows of a plane are halved before the filter.
    func level(of plane: DecodedPlane) -> Int {
        self.level(
            samplesPerPixel: (plane.across, plane.down), decodedAt: plane.scale,
            pixelsPerSample: self.pixelsPerSample(of: plane))
    }

    /// Pixels of the result per resampled sample of a plane, along each axis.
    func pixelsPerSample(of plane: DecodedPlane) -> Int {
        plane.isChroma && self.halvesChroma && self.encodesPlanes ? 2 : 1
    }

    /// Whether planes go from the resampler to the encoder without colour conversion, according to the header.
    var encodesPlanes: Bool {
        self.framing.keepsPlanes && self.input != .pixels && !self.source.hasAlpha && !self.source.hasICCProfile
            && self.source.coding?.isPlain != false
            && (self.source.colourModel == .yCbCr || self.source.colourModel == .gray)
    }
}
