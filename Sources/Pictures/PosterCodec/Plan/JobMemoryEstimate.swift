/// Estimates, rather too high, the memory of a job, excluding the original's bytes and the results.
public struct JobMemoryEstimate: Hashable, Sendable {
    /// The memory during decoding, in bytes, including the encoding of JPEGs.
    public let decodingBytes: Int
    /// The memory while the other results are encoded on one thread, in bytes. The original's bytes are not needed
    /// then.
    public let encodingBytes: Int

    /// The maximum of both, in bytes.
    public var bytes: Int { max(self.decodingBytes, self.encodingBytes) }

    /// - Parameters:
    ///   - plans: At least one; all of the same decode.
    ///   - readsPlanes: Whether rows come from retained planes instead of a decoder.
    init(_ plans: [RenderPlan], limits: CodecLimits, readsPlanes: Bool = false) {
        let estimates = plans.map { WorkingMemoryEstimate(plan: $0, limits: limits) }
        let profile = plans[0].source.profileWorkingBytes
        let encoder = estimates.map { $0.isEncodedInBands ? 0 : $0.encoder }.max() ?? 0
        self.encodingBytes = estimates.reduce(0) { $0 + $1.held } + encoder + profile
        if plans.count == 1, !readsPlanes {
            self.decodingBytes = plans[0].workingBytes
            return
        }
        let decoder = readsPlanes ? 0 : estimates.map(\.decoder).max() ?? 0
        // Targets of one size share the passes along columns.
        var passes: Set<ColumnPasses> = []
        let resampling = estimates.reduce(0) { sum, estimate in
            let columns = passes.insert(ColumnPasses(estimate.plan)).inserted ? estimate.columnAxes : 0
            return sum + columns + estimate.rowAxes + estimate.waitingRows + estimate.overlay
                + max(estimate.held, estimate.conversion)
        }
        let all = decoder + Self.rings(plans) + resampling + profile
        self.decodingBytes = readsPlanes ? all : max(all, plans.map(\.workingBytes).max() ?? 0)
    }

    private init(decodingBytes: Int, encodingBytes: Int) {
        (self.decodingBytes, self.encodingBytes) = (decodingBytes, encodingBytes)
    }

    /// The estimate of a job that retains planes, which take memory from the first group of rows on.
    public func retaining(_ retention: PlaneRetention?, of source: ImageHeader, scale: DecodeScale) -> Self {
        guard let retention else { return self }
        let planes = retention.mostBytes(of: source, scale: scale)
        return Self(decodingBytes: self.decodingBytes + planes, encodingBytes: self.encodingBytes + planes)
    }

    /// The properties that determine whether targets share the passes along columns.
    private struct ColumnPasses: Hashable {
        let framing: Framing
        let luma, chroma: Int
        let halvesChroma: Bool

        init(_ plan: RenderPlan) {
            self.framing = plan.framing
            (self.luma, self.chroma) = plan.levels
            self.halvesChroma = plan.halvesChroma && plan.encodesPlanes
        }
    }

    /// The rows that filters read of each plane at each level: as many as the largest filter has taps, plus two groups.
    private static func rings(_ plans: [RenderPlan]) -> Int {
        let (source, scale) = (plans[0].source, plans[0].scale)
        let groupHeight = source.format.decoding.groupHeight(of: source)
        return DecodedPlane.planes(of: source, at: scale).reduce(0) { sum, plane in
            let levels = plans.map { $0.level(of: plane) }
            // The rows of a level are computed from the level above.
            var taps = [Int](repeating: 2, count: (levels.max() ?? 0) + 1)
            for (plan, level) in zip(plans, levels) {
                taps[level] = max(taps[level], plan.taps(of: plane, at: level))
            }
            let width = Int((Double(source.width) * plane.across).rounded(.up))
            let height = Int((Double(source.height) * plane.down).rounded(.up))
            let rowsPerGroup = groupHeight.map { Int((Double($0) * plane.down).rounded(.up)) } ?? 8
            return taps.enumerated().reduce(sum) { sum, level in
                let rows = min(level.element, height) + 2 * max(1, rowsPerGroup >> level.offset)
                return sum + (width >> level.offset + 64) * rows
            }
        }
    }
}

extension RenderPlan {
    /// The memory of encoding in addition to the resampled picture, in bytes; 0 for a JPEG that is encoded during
    /// decoding.
    public var encodingBytes: Int {
        let estimate = WorkingMemoryEstimate(plan: self, limits: .init())
        return estimate.isEncodedInBands ? 0 : estimate.encoder
    }

    /// The number of rows that a filter along columns reads of a plane halved `level` times.
    fileprivate func taps(of plane: DecodedPlane, at level: Int) -> Int {
        let along = self.source.orientation.swapsSides ? self.shrinkage.across : self.shrinkage.down
        let residual = along * plane.down * Double(self.pixelsPerSample(of: plane)) / Double(1 << level)
        return Int(6 * max(1, residual)) + 2
    }
}

extension WorkingMemoryEstimate {
    /// The rows that wait for an encoder or a colour conversion, in bytes; 0 if all rows wait, see ``held``.
    fileprivate var waitingRows: Int {
        let isWhole = !self.plan.streams || self.plan.input == .pixels
        return isWhole || (self.plan.input == .planes && self.plan.encodesPlanes) ? 0 : self.bands
    }

    /// The resampled picture that waits for the encoder, in bytes. For a finished JPEG, which is a result, the
    /// unused part of its buffer.
    fileprivate var held: Int {
        if self.isEncodedInBands { return self.plan.encoder.heldBytes(self.plan.encoderPlan) }
        let pixels = self.plan.size.pixels
        // The planes of a WebP or an AVIF, converted in bands.
        if self.plan.input == .planes, self.plan.streams {
            return pixels * (self.plan.source.hasAlpha ? 5 : 3) / 2
        }
        return max(self.conversion, self.planes)
    }

    /// The weights along rows of luma and of chroma, 16 bits each, in bytes.
    fileprivate var rowAxes: Int {
        let size = self.plan.framing.resampledSize
        return 4 * self.taps * (self.plan.source.orientation.swapsSides ? size.height : size.width)
    }

    /// The weights along columns, and the rows between the passes, in bytes.
    fileprivate var columnAxes: Int {
        let size = self.plan.framing.resampledSize
        let rows = self.plan.source.orientation.swapsSides ? size.width : size.height
        let width = self.plan.scale.decoded(self.plan.source.width) >> self.level
        return 4 * self.taps * rows + 2 * self.planeCount * (width + 64)
    }

    private var taps: Int {
        (Int(6 * max(1, self.plan.residual / Double(1 << self.level))) + 17) & ~15
    }

    private var level: Int { min(self.plan.levels.luma, self.plan.levels.chroma) }
}
