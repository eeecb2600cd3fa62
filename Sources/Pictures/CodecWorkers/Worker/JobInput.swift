import Glibc
import PosterCodec

/// The bytes of an original in a worker: mapped, or copied from a file that its file system cannot map.
///
/// A mapped file that is cut short meanwhile ends the worker by a signal; see ``WorkerInput/isReadable``.
struct JobInput: ~Copyable {
    let bytes: UnsafeRawBufferPointer
    private let memory: UnsafeMutableRawBufferPointer
    private let isMapped: Bool

    /// - Throws: ``UnreadableInput``, ``MalformedMessage``, ``CodecError/outOfMemory``.
    init(_ record: InputRecord, in message: ReceivedMessage, limits: CodecLimits) throws {
        try record.check(limits)
        let descriptor = try message.descriptor(0)
        guard record.isMemory || Self.isLongEnough(descriptor, for: record) else { throw UnreadableInput() }
        let start = record.offset % Int(getpagesize())
        let count = start + record.byteCount
        // Maps all pages at once, instead of one fault per page.
        let mapping = mmap(
            nil, count, PROT_READ, MAP_PRIVATE | MAP_POPULATE, descriptor, off_t(record.offset - start))
        if let mapping, mapping != MAP_FAILED {
            self.memory = UnsafeMutableRawBufferPointer(start: mapping, count: count)
            self.bytes = UnsafeRawBufferPointer(rebasing: self.memory[start...])
            self.isMapped = true
            return
        }
        guard errno != ENOMEM, !record.isMemory, let copy = malloc(record.byteCount) else {
            throw CodecError.outOfMemory
        }
        let buffer = UnsafeMutableRawBufferPointer(start: copy, count: record.byteCount)
        guard readAll(descriptor, from: record.offset, into: buffer) else {
            free(copy)
            throw UnreadableInput()
        }
        self.memory = buffer
        self.bytes = UnsafeRawBufferPointer(buffer)
        self.isMapped = false
    }

    deinit {
        if self.isMapped {
            munmap(self.memory.baseAddress, self.memory.count)
        } else {
            free(self.memory.baseAddress)
        }
    }

    private static func isLongEnough(_ descriptor: Int32, for record: InputRecord) -> Bool {
        var last: UInt8 = 0
        return withUnsafeMutableBytes(of: &last) { last in
            readAll(descriptor, from: record.offset + record.byteCount - 1, into: last)
        }
    }
}

/// The input is shorter than the original, or cannot be read.
struct UnreadableInput: Error {}

/// An original that a worker decodes while it arrives.
final class ArrivingWork {
    let job: RenderJob
    let limits: CodecLimits
    let control: JobControl
    let stepped: SteppedJob
    /// The parts of the job's planes that ``PlanesMemory/write(_:besides:)`` has written.
    var writtenPlanes: [Range<Int>] = []
    private let bytes: ArrivingBytes
    private let memory: UnsafeRawBufferPointer

    /// - Throws: The errors of `SteppedJob`'s initialiser; ``MalformedMessage``.
    init(
        _ request: ArrivingRequest, in message: ReceivedMessage, page: ControlPage, control: JobControl,
        pool: PlaneMemoryPool
    ) throws {
        guard (1...max(1, request.limits.maxBytes)).contains(request.byteCount) else { throw MalformedMessage() }
        let count = request.byteCount
        let memory = mmap(nil, count, PROT_READ, MAP_SHARED, try message.descriptor(0), 0)
        guard let memory, memory != MAP_FAILED else { throw CodecError.outOfMemory }
        let address = UInt(bitPattern: memory)
        self.memory = UnsafeRawBufferPointer(start: memory, count: count)
        self.bytes = ArrivingBytes(
            in: UnsafeMutableRawBufferPointer(start: memory, count: count), stateElsewhere: { page.arrived },
            release: { munmap(UnsafeMutableRawPointer(bitPattern: address), count) })
        self.job = request.job
        self.limits = request.limits
        self.control = control
        self.stepped = try SteppedJob(
            self.bytes, job: request.job, limits: request.limits, control: control,
            pool: request.job.retention == nil ? nil : pool)
    }

    var present: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(rebasing: self.memory[..<self.bytes.extent.count])
    }
}

extension RenderJob {
    /// Checks the guarantees of the initialisers, which decoding a message bypasses.
    func check() throws {
        let sides = 1...CodecLimits.maxRenderedSide
        let isPossible =
            (1...Self.targetLimit).contains(self.targets.count) && self.byteCount >= 0
            && (1...8).contains(self.scale.numerator) && (1...1 << 17).contains(self.scale.denominator)
            && self.targets.allSatisfy { target in
                target.target.quality.isPossible && sides.contains(target.target.width ?? 1)
                    && sides.contains(target.target.height ?? 1)
            }
        guard isPossible else { throw MalformedMessage() }
        try self.source.checkMessage()
    }
}

extension ImageHeader {
    /// Checks the guarantees of the parsers, which decoding a message bypasses.
    func checkMessage() throws {
        let isPossible =
            self.width > 0 && self.height > 0 && self.width <= 1 << 31 && self.height <= 1 << 31
            && (0...4).contains(self.sampling.count)
            && self.sampling.allSatisfy { (1...4).contains($0.horizontal) && (1...4).contains($0.vertical) }
        guard isPossible else { throw MalformedMessage() }
    }
}
