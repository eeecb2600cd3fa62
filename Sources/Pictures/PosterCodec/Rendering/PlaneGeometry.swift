/// The scale and range of a target's plane relative to the decoded plane.
struct TargetChannel {
    /// The pixels of the result per sample, along each axis: 2 for the chroma of 4:2:0, else 1.
    var pixelsPerSample = 1
    var range = ResampledPlane.Range.kept
}

/// The level at which a target reads a decoded plane, and the positions of the samples that it computes.
struct PlaneGeometry {
    /// How often the decoded plane is halved; see ``RowBuffer``.
    private(set) var level = 0
    /// The positions along rows and along columns, in the order of decoding.
    private(set) var across, down: ResampleAxis.Geometry

    /// - Parameters:
    ///   - plane: The decoded plane.
    ///   - plan: Its recipe decides whether the plane is halved.
    init(of plane: PlaneLayout.PlaneShape, as channel: TargetChannel, plan: RenderPlan) {
        let orientation = plan.source.orientation
        let size = plan.framing.resampledSize
        var (across, down) = plan.framing.window(of: plan.source.uprightSize)
        var (width, height) = (size.width, size.height)
        // In the order of decoding; complete planes are transposed.
        if orientation.swapsSides {
            (across, down) = (down, across)
            (width, height) = (height, width)
        }
        self.across = ResampleAxis.Geometry(
            inputCount: plane.width, samplesPerPixel: plane.samplesPerPixel.across,
            window: orientation.mirrorsColumns ? across.mirrored(in: plan.source.width) : across,
            outputPixels: width, pixelsPerOutput: channel.pixelsPerSample, isMirrored: orientation.mirrorsColumns,
            gain: channel.range.gain, blurUnit: plan.framing.blurUnit)
        self.down = ResampleAxis.Geometry(
            inputCount: plane.height, samplesPerPixel: plane.samplesPerPixel.down,
            window: orientation.mirrorsRows ? down.mirrored(in: plan.source.height) : down,
            outputPixels: height, pixelsPerOutput: channel.pixelsPerSample, isMirrored: orientation.mirrorsRows,
            blurUnit: plan.framing.blurUnit)
        self.level = plan.level(
            samplesPerPixel: plane.samplesPerPixel, decodedAt: plane.scale, pixelsPerSample: channel.pixelsPerSample)
        for _ in 0..<self.level {
            self.across.halve()
            self.down.halve()
        }
    }
}

extension ResampleAxis.Geometry {
    /// Merges every two input samples.
    fileprivate mutating func halve() {
        self.inputCount = (self.inputCount + 1) / 2
        self.samplesPerPixel /= 2
    }
}

extension PixelSpan {
    /// The same range, measured from the other end of a side.
    fileprivate func mirrored(in side: Int) -> PixelSpan {
        PixelSpan(start: Double(side) - self.start - self.length, length: self.length)
    }
}

extension RenderPlan {
    /// The channels of planes of `model`, one for each.
    ///
    /// - Parameter isDirect: Whether the planes are encoded without colour conversion.
    func channels(for model: PlaneModel, isDirect: Bool) -> [TargetChannel] {
        guard isDirect else { return .init(repeating: .init(), count: model.planeCount) }
        let luma: ResampledPlane.Range
        let chroma: ResampledPlane.Range
        switch (model.isLimitedRange, self.format.hasLimitedRange) {
        case (false, true): (luma, chroma) = (.limitedLuma, .limitedChroma)
        case (true, false): (luma, chroma) = (.fullLuma, .fullChroma)
        case (true, true), (false, false): (luma, chroma) = (.kept, .kept)
        }
        let side = self.halvesChroma ? 2 : 1
        return (0..<model.colour.planeCount).map { index in
            index == 0 ? TargetChannel(range: luma) : TargetChannel(pixelsPerSample: side, range: chroma)
        }
    }
}
