/// A target's result, or its content before encoding, as processes exchange it: the location of its bytes, and their
/// shape.
package struct PictureRecord: Hashable, Sendable {
    /// The content of the bytes.
    package enum Kind: UInt8, Hashable, Sendable {
        case file
        /// Planes one after the other, with their padding.
        case planes
        /// Interleaved pixels.
        case pixels
    }

    /// A plane, or all pixels.
    package struct Shape: Hashable, Sendable {
        package var width, height: Int
        /// Samples per pixel; 1 for a plane.
        package var channels: Int

        package init(width: Int, height: Int, channels: Int = 1) {
            (self.width, self.height, self.channels) = (width, height, channels)
        }
    }

    /// The index of the target in its job.
    package var index: Int
    /// Whether the rows came from a decode that other targets can share although the plan has a decode of its own.
    package var isShared: Bool
    package var decode, resample, encode: UInt64
    package var kind: Kind
    /// One per plane; empty for a file.
    package var shapes: [Shape]
    package var offset, byteCount: Int

    /// Maximum number of planes, including alpha.
    package static let shapeLimit = 4
    /// Maximum duration that counts, in nanoseconds: durations of another process are added up.
    package static let timeLimit: UInt64 = 1 << 42

    package init(
        index: Int, isShared: Bool = false, timings: StageTimings = .init(), kind: Kind, shapes: [Shape], offset: Int,
        byteCount: Int
    ) {
        self.index = index
        self.isShared = isShared
        (self.decode, self.resample, self.encode) = (timings.decode, timings.resample, timings.encode)
        self.kind = kind
        self.shapes = shapes
        self.offset = offset
        self.byteCount = byteCount
    }

    package var timings: StageTimings {
        var timings = StageTimings()
        timings.decode = min(self.decode, Self.timeLimit)
        timings.resample = min(self.resample, Self.timeLimit)
        timings.encode = min(self.encode, Self.timeLimit)
        return timings
    }

    /// Whether the bytes lie in memory of `size` bytes, and their number matches the shapes, which must be a picture's.
    package func isConsistent(size: Int) -> Bool {
        guard self.byteCount > 0, self.offset >= 0, self.offset <= size, self.byteCount <= size - self.offset,
            self.shapes.count <= Self.shapeLimit, self.shapes.allSatisfy(\.isPossible)
        else { return false }
        switch self.kind {
        case .file: return self.shapes.isEmpty
        case .planes:
            return self.hasPlanesOfPicture && self.shapes.allSatisfy { $0.channels == 1 }
                && self.byteCount == self.shapes.reduce(0) { $0 + $1.stride * $1.height }
        case .pixels:
            guard self.shapes.count == 1 else { return false }
            return self.byteCount == self.shapes[0].width * self.shapes[0].height * self.shapes[0].channels
        }
    }

    /// Whether encoders can read the planes: luma, or luma and two planes of chroma of at least half its size, or these
    /// and alpha.
    private var hasPlanesOfPicture: Bool {
        guard [1, 3, 4].contains(self.shapes.count) else { return false }
        let luma = self.shapes[0]
        let chroma = self.shapes.dropFirst().prefix(2)
        return chroma.allSatisfy { plane in
            plane.stride == self.shapes[1].stride && plane.width >= (luma.width + 1) / 2
                && plane.height >= (luma.height + 1) / 2
        } && self.shapes.dropFirst(3).allSatisfy { $0.stride == luma.stride && $0.height >= luma.height }
    }
}

extension PictureRecord.Shape {
    /// The bytes of a row of a plane.
    fileprivate var stride: Int { (self.width + 15) / 16 * 16 }

    fileprivate var isPossible: Bool {
        let sides = 1...2 * CodecLimits.maxRenderedSide
        return sides.contains(self.width) && sides.contains(self.height) && (1...4).contains(self.channels)
    }
}

extension PictureRecord {
    /// Takes the content of a picture that is still to be encoded.
    ///
    /// - Parameter write: Appends bytes to the data for the other process and returns their offset.
    package init(
        exporting picture: PendingPicture, of plan: RenderPlan,
        _ write: (UnsafeRawBufferPointer) throws(CodecError) -> Int
    ) throws(CodecError) {
        self.init(picture, of: plan, kind: .file)
        let content = try picture.takeContent()
        switch consume content {
        case .file(let bytes): try self.write(bytes, write)
        case .planes(let planes):
            self.kind = .planes
            for plane in planes {
                let offset = try plane.samples.span.bytes.withUnsafeBytes(write)
                if self.shapes.isEmpty { self.offset = offset }
                self.shapes.append(Shape(width: plane.width, height: plane.height))
                self.byteCount += plane.samples.count
            }
        case .pixels(let pixels):
            self.kind = .pixels
            self.offset = try pixels.samples.span.bytes.withUnsafeBytes(write)
            self.shapes = [Shape(width: pixels.width, height: pixels.height, channels: pixels.channels)]
            self.byteCount = pixels.samples.count
        }
    }

    /// An encoded picture.
    package init(
        encoded file: borrowing RenderedFile, _ picture: PendingPicture, of plan: RenderPlan,
        _ write: (UnsafeRawBufferPointer) throws(CodecError) -> Int
    ) throws(CodecError) {
        self.init(picture, of: plan, kind: .file)
        (self.decode, self.resample, self.encode) = (file.timings.decode, file.timings.resample, file.timings.encode)
        try self.write(file.bytes, write)
    }

    private init(_ picture: PendingPicture, of plan: RenderPlan, kind: Kind) {
        self.init(
            index: picture.index, isShared: picture.recipe != plan.recipe, timings: picture.timings, kind: kind,
            shapes: [], offset: 0, byteCount: 0)
    }

    private mutating func write(
        _ bytes: borrowing EncodedBytes, _ write: (UnsafeRawBufferPointer) throws(CodecError) -> Int
    ) throws(CodecError) {
        self.offset = try bytes.withUnsafeBytes(write)
        self.byteCount = bytes.count
    }

    /// The content to encode.
    ///
    /// - Parameter memory: The memory that ``offset`` counts from.
    fileprivate func content(in memory: UnsafeRawBufferPointer) throws(CodecError) -> PendingPicture.Content {
        guard self.isConsistent(size: memory.count), self.kind != .file else {
            throw .internalError(reason: "a picture of inconsistent dimensions")
        }
        var bytes = UnsafeRawBufferPointer(rebasing: memory[self.offset..<self.offset + self.byteCount])
        guard self.kind == .planes else {
            let shape = self.shapes[0]
            var pixels = PixelBuffer(width: shape.width, height: shape.height, channels: shape.channels)
            pixels.samples = [UInt8](bytes)
            return .pixels(pixels)
        }
        var planes: [Plane] = []
        for shape in self.shapes {
            let count = shape.stride * shape.height
            let plane = Plane(width: shape.width, height: shape.height, samples: [UInt8](bytes.prefix(count)))
            bytes = UnsafeRawBufferPointer(rebasing: bytes.dropFirst(count))
            planes.append(plane)
        }
        return .planes(planes)
    }
}

extension PendingPicture {
    /// A picture that another process has begun and `encoder` finishes.
    ///
    /// - Parameters:
    ///   - record: Belongs to a target of `job`; consistent with the memory of `encoder`.
    /// - Throws: As ``RenderPlan/init(_:target:limits:)``.
    package convenience init(
        _ record: PictureRecord, of job: RenderJob, limits: CodecLimits, encoder: any PictureEncoder
    ) throws(CodecError) {
        let plan = try record.plan(in: job, limits: limits)
        self.init(nil, index: record.index, plan: plan, timings: record.timings, elsewhere: encoder)
    }

    /// A picture that another process has encoded.
    ///
    /// - Throws: As ``RenderPlan/init(_:target:limits:)``.
    package convenience init(
        _ record: PictureRecord, of job: RenderJob, limits: CodecLimits, file: consuming sending EncodedBytes
    ) throws(CodecError) {
        let plan = try record.plan(in: job, limits: limits)
        self.init(.file(file), index: record.index, plan: plan, timings: record.timings)
    }
}

extension PictureRecord {
    /// The plan of the rendered picture.
    fileprivate func plan(in job: RenderJob, limits: CodecLimits) throws(CodecError) -> RenderPlan {
        let plan = try job.plan(self.index, limits: limits)
        return self.isShared ? plan.forJob(at: job.scale, limits: limits) : plan
    }
}

/// Finishes a picture that another process has begun.
///
/// - Parameters:
///   - memory: The memory that the record's offset counts from.
///   - job: Has only the picture's target.
/// - Throws: As ``PendingPicture/encode(limits:control:)``, and as ``RenderPlan/init(_:target:limits:)``.
package func encodePicture(
    _ record: PictureRecord, in memory: UnsafeRawBufferPointer, job: RenderJob, limits: CodecLimits,
    control: JobControl
) throws(CodecError) -> RenderedFile {
    let plan = try job.plan(0, limits: limits)
    let content = try record.content(in: memory)
    let picture = PendingPicture(content, index: 0, plan: plan, timings: StageTimings())
    return try picture.encode(limits: limits, control: control)
}
