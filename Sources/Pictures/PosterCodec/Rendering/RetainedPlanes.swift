/// Decoded planes of an original, which serve further targets without its bytes. Immutable; safe from any thread.
///
/// Results have the recipe of a shared decode at ``scale``, and the same bytes.
public final class RetainedPlanes: Sendable {
    /// The header of the original.
    public let source: ImageHeader
    /// The scale of the decode that the planes come from.
    public let scale: DecodeScale
    /// The memory of the planes, with the colour profile, in bytes.
    public let byteCount: Int
    /// The duration of the decode, by the clock of its job.
    public let decodeNanoseconds: UInt64
    let layout: PlaneLayout
    let colourTag: ColourTag
    let places: PlanePlaces
    let levels: [Int]
    private let originalByteCount: Int
    /// The effort of targets that leave out the same scans of a progressive JPEG; `nil` if none are left out.
    let effort: RenderTarget.Effort?
    let convertsColours: Bool

    /// - Parameters:
    ///   - plan: The plan of a target of the decode.
    ///   - places: Filled by a successful decode.
    init(
        _ plan: RenderPlan, layout: PlaneLayout, colourTag: ColourTag, places: PlanePlaces, decodeNanoseconds: UInt64,
        originalByteCount: Int
    ) {
        self.source = plan.source
        self.scale = plan.scale
        self.layout = layout
        self.colourTag = colourTag
        self.places = places.filled
        self.levels = places.levels
        self.decodeNanoseconds = decodeNanoseconds
        self.originalByteCount = originalByteCount
        // All scans are read at 8/8, whatever the effort.
        let leavesOutScans = plan.hasScans && plan.scale.eighths < 8
        self.effort = leavesOutScans ? plan.effort : nil
        self.convertsColours = SRGBConverter.transform(for: colourTag, model: layout.model) != nil
        self.byteCount = places.byteCount + colourTag.byteCount + Self.ownByteCount
    }

    /// Planes that another process has decoded.
    ///
    /// - Parameters:
    ///   - places: In the layout of `record`.
    init(_ record: PlanesRecord, of job: RenderJob, colourTag: ColourTag, places: PlanePlaces) {
        self.source = job.source
        self.scale = job.scale
        self.layout = record.layout
        self.colourTag = colourTag
        self.places = places
        self.levels = record.levels
        self.decodeNanoseconds = record.decodeNanoseconds
        self.originalByteCount = job.byteCount
        self.effort = record.effort
        self.convertsColours = record.convertsColours
        self.byteCount = places.byteCount + record.profileByteCount + Self.ownByteCount
    }

    /// The size of this object with its arrays, in bytes, rather too high.
    private static let ownByteCount = 2 << 10

    /// Whether a render reads an ICC profile of the original, which only its parser checks.
    package var hasProfile: Bool {
        if case .profile = self.colourTag { return true }
        return false
    }

    /// A job of targets that the planes serve, for ``decodeJob(_:job:limits:control:)``.
    ///
    /// - Parameter targets: 1...``RenderJob/targetLimit``.
    public func job(_ targets: [RenderJob.Target]) -> RenderJob {
        RenderJob(source: self.source, byteCount: self.originalByteCount, targets: targets, scale: self.scale)
    }

    /// Whether the target can be rendered from the planes: they have all samples that it would read of a shared decode.
    public func serves(_ target: RenderTarget, limits: CodecLimits = .init()) -> Bool {
        (try? self.plan(target, limits: limits)) != nil
    }

    /// The estimated memory of a job that reads these planes, excluding the planes.
    ///
    /// - Throws: ``CodecError/internalError(reason:)`` if the planes do not serve a target.
    public func memory(for job: RenderJob, limits: CodecLimits = .init()) throws(CodecError) -> JobMemoryEstimate {
        JobMemoryEstimate(try self.plans(of: job, limits: limits), limits: limits, readsPlanes: true)
    }

    func plans(of job: RenderJob, limits: CodecLimits) throws(CodecError) -> [RenderPlan] {
        guard job.source == self.source, job.scale == self.scale else {
            throw .internalError(reason: "planes of another original or scale")
        }
        var plans: [RenderPlan] = []
        for target in job.targets {
            guard let plan = try self.plan(target.target, limits: limits, encoding: job.encoding) else {
                throw .internalError(reason: "a target that the planes do not serve")
            }
            plans.append(plan)
        }
        return plans
    }

    /// - Returns: `nil` if the planes do not serve the target.
    private func plan(
        _ target: RenderTarget, limits: CodecLimits, encoding: EncodingEffort = .first
    ) throws(CodecError) -> RenderPlan? {
        let own = try RenderPlan(self.source, target: target, limits: limits, encoding: encoding)
        guard own.scale <= self.scale, self.effort == nil || self.effort == own.effort else { return nil }
        let plan = own.forJob(at: self.scale, limits: limits)
        let isDirect = !self.convertsColours && plan.encodesDirectly(self.layout.model)
        let channels = plan.channels(for: self.layout.model, isDirect: isDirect)
        for (index, plane) in self.layout.planes.enumerated() {
            let level = plan.level(
                samplesPerPixel: plane.samplesPerPixel, decodedAt: plane.scale,
                pixelsPerSample: channels[index].pixelsPerSample)
            guard level >= self.levels[index] else { return nil }
        }
        return plan
    }
}

/// The memory of retained rows: for each plane, all rows of one level.
struct PlanePlaces: Sendable {
    let levels: [Int]
    let rows: [RowPlace]
    /// Whether the rows have been written.
    private(set) var areFilled = false
    private let memory: PlaneMemory

    /// - Parameter levels: One per plane.
    /// - Returns: `nil` if there is no memory, or `levels` do not match the layout.
    init?(_ layout: PlaneLayout, levels: [Int], pool: PlaneMemoryPool) {
        guard levels.count == layout.planes.count else { return nil }
        let shapes = Self.shapes(layout, levels: levels)
        guard let memory = pool.take(shapes.reduce(0) { $0 + $1.stride * $1.rowCount }) else { return nil }
        var offset = 0
        self.rows = shapes.map { shape in
            defer { offset += shape.stride * shape.rowCount }
            return RowPlace(memory: memory, offset: offset, stride: shape.stride, capacity: shape.rowCount)
        }
        self.levels = levels
        self.memory = memory
    }

    var filled: PlanePlaces {
        var places = self
        places.areFilled = true
        return places
    }

    /// Rows that exist already, one plane after the other.
    ///
    /// - Parameter levels: One per plane.
    init(_ layout: PlaneLayout, levels: [Int], filled memory: PlaneMemory) {
        self.rows = Self.shapes(layout, levels: levels).reduce(into: []) { rows, shape in
            let offset = rows.last.map { $0.offset + $0.stride * $0.capacity } ?? 0
            rows.append(RowPlace(memory: memory, offset: offset, stride: shape.stride, capacity: shape.rowCount))
        }
        self.levels = levels
        self.memory = memory
        self.areFilled = true
    }

    static func byteCount(_ layout: PlaneLayout, levels: [Int]) -> Int {
        self.shapes(layout, levels: levels).reduce(0) { $0 + $1.stride * $1.rowCount }
    }

    private static func shapes(_ layout: PlaneLayout, levels: [Int]) -> [(stride: Int, rowCount: Int)] {
        zip(layout.planes, levels).map { plane, level in
            let shape = plane.halved(times: level)
            // Decoders write whole groups.
            let rowCount = level == 0 ? max(plane.height, layout.groupCount * plane.rowsPerGroup) : shape.height
            return (RowBuffer.stride(of: shape.rowBytes), rowCount)
        }
    }

    /// The rows, one plane after the other.
    var bytes: UnsafeRawBufferPointer {
        let count = self.rows.last.map { $0.offset + $0.stride * $0.capacity } ?? 0
        return UnsafeRawBufferPointer(start: self.memory.start, count: count)
    }

    var byteCount: Int { self.memory.byteCount }
}

/// A source of retained planes instead of a decoder: their rows exist already.
struct RetainedRows: ~Copyable, PlaneSource {
    let layout: PlaneLayout
    let colourTag: ColourTag

    /// Maximum number of rows filtered at once, so that the results stay in the cache until they are encoded.
    private static let rowsPerGroup = 32

    init(_ planes: RetainedPlanes) {
        var layout = planes.layout
        let heights = zip(layout.planes, planes.levels).map { $0.halved(times: $1).height }
        layout.groupCount = max(1, ((heights.max() ?? 1) + Self.rowsPerGroup - 1) / Self.rowsPerGroup)
        // In rows of the retained level.
        for (index, height) in heights.enumerated() {
            layout.planes[index].rowsPerGroup = (height + layout.groupCount - 1) / layout.groupCount
        }
        self.layout = layout
        self.colourTag = planes.colourTag
    }

    mutating func readGroup(into targets: [UnsafeMutablePointer<UInt8>?], strides: [Int]) throws(CodecError) -> Bool {
        true
    }

    mutating func finish() throws(CodecError) {}
}
