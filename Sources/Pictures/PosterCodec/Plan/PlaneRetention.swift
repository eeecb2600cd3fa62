/// The planes of a decode that are retained for later targets of other sizes or formats: a pure value.
///
/// Each plane is retained at the deepest level that still serves targets of ``servedWidth``, so that no more samples
/// are stored than those targets read. Chroma serves 4:2:0 results; see ``OutputFormat/halvesChroma(quality:)``.
public struct PlaneRetention: Hashable, Sendable {
    /// The width in pixels of the largest target that the planes serve.
    public let servedWidth: Int

    /// Chooses the largest width of a ladder that the decode serves within `byteLimit`.
    ///
    /// - Parameters:
    ///   - ladder: The widths in pixels that are often requested, in any order.
    ///   - scale: The scale of the decode.
    ///   - byteLimit: Maximum memory of the planes, in bytes.
    /// - Returns: `nil` if no width of the ladder can be rendered from this decode, if the planes for the smallest such
    ///   width take more than `byteLimit`, or if `scale` is not shared between targets, because no ``DecodeRecipe``
    ///   would describe the results.
    public init?(ladder: [Int], source: ImageHeader, scale: DecodeScale, byteLimit: Int) {
        guard DecodeScale.shared(for: source).contains(scale) else { return nil }
        let widths = Set(ladder).filter { $0 > 0 }.sorted(by: >)
        let fitting = widths.first { width in
            guard let plan = Self.plan(width: width, of: source, at: scale) else { return false }
            return Self.byteCount(plan) <= byteLimit
        }
        guard let fitting else { return nil }
        self.servedWidth = fitting
    }

    /// The estimated memory of the planes, with the rows' padding and the colour profile, in bytes.
    public func byteCount(of source: ImageHeader, scale: DecodeScale) -> Int {
        Self.plan(width: self.servedWidth, of: source, at: scale).map(Self.byteCount) ?? 0
    }

    /// The upper bound of the memory of the planes, in bytes: reused memory may be an eighth larger, and a decoder
    /// writes whole groups of at most 32 rows.
    func mostBytes(of source: ImageHeader, scale: DecodeScale) -> Int {
        self.byteCount(of: source, scale: scale) / 8 * 9 + (64 << 10) + 4 * 32 * source.width
    }

    /// How often each plane is halved before it is stored, in the order of the decoder's planes.
    func levels(of source: ImageHeader, scale: DecodeScale) -> [Int] {
        guard let plan = Self.plan(width: self.servedWidth, of: source, at: scale) else { return [] }
        return DecodedPlane.planes(of: source, at: scale).map(plan.level)
    }

    /// The plan of a target of this width in a shared decode; `nil` if it needs a larger decode, or exceeds the default
    /// limits.
    private static func plan(width: Int, of source: ImageHeader, at scale: DecodeScale) -> RenderPlan? {
        let limits = CodecLimits()
        guard let own = try? RenderPlan(source, target: RenderTarget(width: width, format: .jpeg), limits: limits),
            own.scale <= scale
        else { return nil }
        return own.forJob(at: scale, limits: limits)
    }

    private static func byteCount(_ plan: RenderPlan) -> Int {
        let source = plan.source
        return DecodedPlane.planes(of: source, at: plan.scale).reduce(source.profileBytes) { sum, plane in
            let level = plan.level(of: plane)
            let width = Self.halved(Int((Double(source.width) * plane.across).rounded(.up)), level)
            let height = Self.halved(Int((Double(source.height) * plane.down).rounded(.up)), level)
            // Kernels read whole vectors of 32 samples.
            return sum + (width + 31) / 32 * 32 * height
        }
    }

    private static func halved(_ side: Int, _ level: Int) -> Int { (side + (1 << level) - 1) >> level }
}

extension DecodeSharing.Decode {
    /// Default cost limit of a decode that retains planes, as a multiple of its cost without them.
    public static let retainingCostFactor = 1.03

    /// Makes the decode retain the planes that serve the largest width of a ladder, if any do.
    ///
    /// Its scale is raised if that serves a larger width and costs little: libwebp decodes everything at any scale, so
    /// thumbnails leave planes for the whole ladder.
    ///
    /// - Parameters:
    ///   - ladder: The widths in pixels that are often requested.
    ///   - byteLimit: Maximum memory of the planes, in bytes.
    ///   - costFactor: Maximum cost of the decode, as a multiple of its cost without retention.
    public func retaining(
        ladder: [Int], byteLimit: Int, costFactor: Double = Self.retainingCostFactor, limits: CodecLimits = .init()
    ) -> Self {
        let (source, cost) = (self.job.source, DecodeCost(source: self.job.source, byteCount: self.job.byteCount))
        let costLimit = costFactor * cost.total(self.plans(at: self.job.scale, limits: limits))
        var best = self
        for scale in [self.job.scale] + DecodeScale.shared(for: source).filter({ $0 > self.job.scale }) {
            guard
                let retention = PlaneRetention(ladder: ladder, source: source, scale: scale, byteLimit: byteLimit),
                retention.servedWidth > best.job.retention?.servedWidth ?? 0
            else { continue }
            let plans = self.plans(at: scale, limits: limits)
            guard scale == self.job.scale || cost.total(plans) <= costLimit else { continue }
            let memory = JobMemoryEstimate(plans, limits: limits)
                .retaining(retention, of: source, scale: scale)
            guard memory.bytes <= limits.maxWorkingBytes else { continue }
            var job = RenderJob(source: source, byteCount: self.job.byteCount, targets: self.job.targets, scale: scale)
            job.retention = retention
            job.encoding = self.job.encoding
            best = Self(job: job, members: self.members, memory: memory)
        }
        return best
    }

    private func plans(at scale: DecodeScale, limits: CodecLimits) -> [RenderPlan] {
        var job = RenderJob(
            source: self.job.source, byteCount: self.job.byteCount, targets: self.job.targets, scale: scale)
        job.encoding = self.job.encoding
        // Every target could be planned when the decode was chosen.
        return job.targets.indices.compactMap { try? job.plan($0, limits: limits) }
    }
}
