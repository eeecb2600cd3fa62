/// Decodes an original once and passes its rows to all targets during decoding.
struct MultiTargetDecoder {
    private let control: RenderControl
    private let watch: RenderWatch
    private let kernel: ResampleKernel
    /// Has the targets that are still wanted; `nil` if all are.
    private let job: JobControl?
    private let keepsPictures: Bool
    private let keeping: PlaneKeeping?
    /// The memory of retained rows while a decode runs.
    private var filling: PlanePlaces?
    /// The retained planes of a successful decode.
    private(set) var retained: RetainedPlanes?
    /// The time of decoding, and of resampling except for the parts that the targets measure.
    private(set) var timings = StageTimings()
    /// The targets that were not dropped.
    private var targets: [TargetEncoder] = []
    /// Set from ``begin(_:since:plan:for:places:)`` to ``finish(_:)``.
    private var flow: RowFlow?
    private var groupsLeft = 0

    /// - Parameters:
    ///   - watch: Started before the decode, with `control`.
    ///   - keepsPictures: Whether results are pictures instead of files.
    ///   - keeping: The decoded planes to retain.
    init(
        control: RenderControl, watch: RenderWatch, kernel: ResampleKernel, job: JobControl? = nil,
        keepsPictures: Bool = false, keeping: PlaneKeeping? = nil
    ) {
        self.control = control
        self.watch = watch
        self.kernel = kernel
        self.job = job
        self.keepsPictures = keepsPictures
        self.keeping = keeping
    }

    /// Decodes and checks the whole original. Any error ends the job: an encoder that takes rows during decoding fails
    /// only for lack of memory or because of an error in this program.
    ///
    /// - Parameters:
    ///   - plan: The plan of one of the targets, with the scans that are read.
    ///   - targets: The indices in the job and the plans, all of the scale of `plan`.
    mutating func run(
        _ bytes: UnsafeRawBufferPointer, plan: RenderPlan, for targets: [(index: Int, plan: RenderPlan)]
    ) throws(CodecError) {
        let start = self.control.now()
        var rows = RowsForTargets(decoder: self, start: start, plan: plan, targets: targets)
        defer { self = rows.decoder }
        try plan.source.format.decoding.decode(bytes, plan.decoding, watch: self.watch, arriving: nil, for: &rows)
    }

    var now: UInt64 { self.control.now() }

    mutating func run(
        _ planes: RetainedPlanes, for targets: [(index: Int, plan: RenderPlan)]
    ) throws(CodecError) {
        guard let plan = targets.first?.plan else { throw .stopped }
        let start = self.control.now()
        var source = RetainedRows(planes)
        try self.run(&source, since: start, plan: plan, for: targets, places: planes.places)
    }

    /// The results after ``run(_:plan:for:)``.
    func takePictures() throws(CodecError) -> [PendingPicture] {
        // The time of resampling is divided in proportion to the samples read.
        let samplesRead = max(1, self.targets.reduce(0) { $0 + $1.samplesRead })
        var pictures: [PendingPicture] = []
        for target in self.targets {
            let content = try target.takeResult()
            var timings = self.timings + target.timings
            let share = Double(target.samplesRead) / Double(samplesRead)
            timings.resample = UInt64(Double(self.timings.resample) * share) + target.timings.resample
            pictures.append(PendingPicture(content, of: target, timings: timings))
        }
        return pictures
    }

    /// The only target's picture, after ``run(_:plan:for:)``.
    func takePicture() throws(CodecError) -> DownsampledPicture {
        guard let target = self.targets.first else { throw .internalError(reason: "a decode without a target") }
        return try target.takePicture()
    }

    /// - Parameters:
    ///   - start: The time at which opening the source began.
    ///   - places: The memory of existing rows.
    mutating func run<Source: PlaneSource & ~Copyable>(
        _ source: inout Source, since start: UInt64, plan: RenderPlan, for targets: [(index: Int, plan: RenderPlan)],
        places: PlanePlaces? = nil
    ) throws(CodecError) {
        try self.begin(source, since: start, plan: plan, for: targets, places: places)
        guard try self.readGroups(of: &source) == .end else { throw .truncated }
        try self.finish(&source)
    }

    /// Prepares the flow of a source's rows to the targets; call ``readGroups(of:limit:)`` next.
    ///
    /// - Parameter places: The memory of existing rows.
    mutating func begin<Source: PlaneSource & ~Copyable>(
        _ source: borrowing Source, since start: UInt64, plan: RenderPlan,
        for targets: [(index: Int, plan: RenderPlan)], places: PlanePlaces? = nil
    ) throws(CodecError) {
        self.timings.decode += self.control.now() - start
        let (model, tag) = (source.layout.model, source.colourTag)
        // The plan must include the conversion's memory.
        guard tag.workingBytes <= plan.source.profileWorkingBytes else {
            throw .damaged(reason: "not the colour profile that the plan was made from")
        }
        let transform = tag == .sRGB ? nil : SRGBConverter.transform(for: tag, model: model)
        self.targets = try targets.map { (target) throws(CodecError) in
            try TargetEncoder(
                target.index, plan: target.plan, model: model, transform: transform, keepsPicture: self.keepsPictures,
                control: self.control, watch: self.watch)
        }
        let setup = self.control.now()
        if let keeping {
            self.filling = PlanePlaces(source.layout, levels: keeping.levels, pool: keeping.pool)
        }
        self.flow = try RowFlow(
            source.layout, to: self.targets, kernel: self.kernel, places: places ?? self.filling)
        self.groupsLeft = source.layout.groupCount
        self.timings.resample += self.control.now() - setup
    }

    /// How far the groups of rows were read.
    enum Reach {
        /// The last one was read; call ``finish(_:)`` next.
        case end
        case limit
        /// The next one has not completely arrived.
        case arrived
    }

    /// Decodes the next groups of rows for all targets, as far as they have arrived.
    ///
    /// - Parameter limit: Maximum number of groups.
    mutating func readGroups<Source: PlaneSource & ~Copyable>(
        of source: inout Source, limit: Int = .max
    ) throws(CodecError) -> Reach {
        guard let flow = self.flow else { throw .internalError(reason: "a decode that has not begun") }
        let strides = flow.strides
        var places = [UnsafeMutablePointer<UInt8>?](repeating: nil, count: strides.count)
        for _ in 0..<min(limit, self.groupsLeft) {
            try self.watch.check()
            try self.leaveUnwanted(flow)
            let before = self.control.now()
            flow.placeGroup(into: &places)
            guard try source.readGroup(into: places, strides: strides) else {
                self.timings.decode += self.control.now() - before
                return .arrived
            }
            self.groupsLeft -= 1
            let between = self.control.now()
            flow.groupWasWritten()
            let resampled = self.control.now()
            for target in self.targets { try target.takeBands() }
            self.timings.decode += between - before
            self.timings.resample += resampled - between
        }
        return self.groupsLeft == 0 ? .end : .limit
    }

    /// The retained rows that are written so far; see ``RowFlow/retainedRows``.
    var retainedRows: [(offset: Int, bytes: UnsafeRawBufferPointer)] { self.flow?.retainedRows ?? [] }

    /// Checks the rest of the source, which must have arrived completely, and delivers results that need all rows.
    mutating func finish<Source: PlaneSource & ~Copyable>(_ source: inout Source) throws(CodecError) {
        let start = self.control.now()
        try source.finish()
        self.timings.decode += self.control.now() - start
        if let flow = self.flow.take() { try self.leaveUnwanted(flow) }
        if let keeping, let places = self.filling.take(), let plan = self.targets.first?.plan {
            self.retained = RetainedPlanes(
                plan, layout: source.layout, colourTag: source.colourTag, places: places,
                decodeNanoseconds: self.timings.decode, originalByteCount: keeping.originalByteCount)
        }
        // The stored rows have been freed; the decoder has not.
        for target in self.targets { try target.takeRest() }
    }

    /// Drops the targets that are not wanted.
    private mutating func leaveUnwanted(_ flow: RowFlow) throws(CodecError) {
        guard let wanted = self.job?.wanted else { return }
        for target in self.targets where wanted & 1 << UInt64(target.index) == 0 {
            flow.drop(target)
            target.abandon()
            self.targets.removeAll { $0 === target }
        }
        if self.targets.isEmpty { throw .stopped }
    }
}

/// The planes to retain of a decode.
struct PlaneKeeping {
    /// How often each plane is halved before it is stored.
    let levels: [Int]
    let pool: PlaneMemoryPool
    let originalByteCount: Int
}

/// Passes all rows of a decoder to the targets of a job.
private struct RowsForTargets: PlaneSourceUse {
    var decoder: MultiTargetDecoder
    let start: UInt64
    let plan: RenderPlan
    let targets: [(index: Int, plan: RenderPlan)]

    mutating func use<Source: PlaneSource & ~Copyable>(_ source: consuming Source) throws(CodecError) {
        try self.decoder.run(&source, since: self.start, plan: self.plan, for: self.targets)
    }
}
