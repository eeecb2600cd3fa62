/// One decode of an original, whose rows flow into all targets while they are decoded.
struct SharedDecode {
    private let control: RenderControl
    private let watch: RenderWatch
    private let kernel: ResampleKernel
    /// Says which targets are still wanted; nil when all are.
    private let job: JobControl?
    private let keepsPictures: Bool
    private let keeping: PlaneKeeping?
    /// Where rows stay of a decode that has begun.
    private var filling: PlanePlaces?
    /// The planes that stay, after a decode that succeeded.
    private(set) var retained: RetainedPlanes?
    /// Decoding, and resampling without what the targets measure themselves.
    private(set) var timings = StageTimings()
    /// The targets that were not dropped.
    private var targets: [TargetRender] = []
    /// From ``begin(_:since:plan:for:)`` to ``finish(_:)``.
    private var flow: RowFlow?
    private var groupsLeft = 0

    /// - Parameters:
    ///   - watch: Begun before the decode, with `control`.
    ///   - keepsPictures: Whether pictures are wanted, not files.
    ///   - keeping: What stays of the decoded planes.
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

    /// Decodes and checks the whole original. An error ends the job: an encoder that takes rows meanwhile fails for want
    /// of memory or because of an error in this program only.
    ///
    /// - Parameters:
    ///   - plan: Of one of the targets, with the scans that are read.
    ///   - targets: Their places in the job and their plans, all of the scale of `plan`.
    mutating func run(
        _ bytes: UnsafeRawBufferPointer, plan: RenderPlan, for targets: [(index: Int, plan: RenderPlan)]
    ) throws(CodecError) {
        let start = self.control.now()
        switch plan.source.format {
        case .jpeg:
            var source = try JPEGDecoder(bytes, plan: plan, watch: self.watch)
            try self.run(&source, since: start, plan: plan, for: targets)
        case .png:
            var source = try PNGDecoder(bytes, plan: plan, watch: self.watch)
            try self.run(&source, since: start, plan: plan, for: targets)
        case .webp:
            var source = try WebPDecoder(bytes, plan: plan, watch: self.watch)
            try self.run(&source, since: start, plan: plan, for: targets)
        case .avif:
            var source = try AVIFDecoder(bytes, plan: plan, watch: self.watch)
            try self.run(&source, since: start, plan: plan, for: targets)
        case .gif:
            var source = try GIFDecoder(bytes, plan: plan, watch: self.watch)
            try self.run(&source, since: start, plan: plan, for: targets)
        default:
            throw .unsupported(plan.source.format.rawValue)
        }
    }

    /// The time on the control's clock.
    var now: UInt64 { self.control.now() }

    /// Renders from planes that were retained.
    mutating func run(
        _ planes: RetainedPlanes, for targets: [(index: Int, plan: RenderPlan)]
    ) throws(CodecError) {
        guard let plan = targets.first?.plan else { throw .stopped }
        guard let places = planes.places else { throw .internalError(reason: "planes that are in no memory here") }
        let start = self.control.now()
        var source = RetainedRows(planes)
        try self.run(&source, since: start, plan: plan, for: targets, places: places)
    }

    /// The results after ``run(_:plan:for:)``.
    func takePictures() throws(CodecError) -> [PendingPicture] {
        // The time of resampling is divided by the samples that were read.
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
    ///   - start: When opening the source began.
    ///   - places: Of rows that are there already.
    mutating func run<Source: PlaneSource & ~Copyable>(
        _ source: inout Source, since start: UInt64, plan: RenderPlan, for targets: [(index: Int, plan: RenderPlan)],
        places: PlanePlaces? = nil
    ) throws(CodecError) {
        try self.begin(source, since: start, plan: plan, for: targets, places: places)
        guard try self.readGroups(of: &source) == .end else { throw .truncated }
        try self.finish(&source)
    }

    /// Prepares the way of a source's rows to the targets; ``readGroups(of:limit:)`` follows.
    ///
    /// - Parameter places: Of rows that are there already.
    mutating func begin<Source: PlaneSource & ~Copyable>(
        _ source: borrowing Source, since start: UInt64, plan: RenderPlan,
        for targets: [(index: Int, plan: RenderPlan)], places: PlanePlaces? = nil
    ) throws(CodecError) {
        self.timings.decode += self.control.now() - start
        let (model, tag) = (source.layout.model, source.colourTag)
        // The conversion's memory must have been planned.
        guard tag.workingBytes <= plan.source.profileWorkingBytes else {
            throw .damaged(reason: "not the colour profile that the plan was made from")
        }
        let transform = tag == .sRGB ? nil : SRGBConverter.transform(for: tag, model: model)
        self.targets = targets.map { target in
            TargetRender(
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
        /// The last one was read; ``finish(_:)`` follows.
        case end
        case limit
        /// The next one has not arrived whole.
        case arrived
    }

    /// Decodes the next groups of rows for all targets, as far as they have arrived.
    ///
    /// - Parameter limit: The most groups.
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

    /// Checks the rest of the source, all of which must have arrived, and delivers what needs all rows.
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
        // The rows that were stored are freed; the decoder is not yet.
        for target in self.targets { try target.takeRest() }
    }

    /// Leaves out the targets without waiters.
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

/// What stays of the planes of a decode.
struct PlaneKeeping {
    /// How often each plane is halved before it stays.
    let levels: [Int]
    let pool: PlaneMemoryPool
    let originalByteCount: Int
}
