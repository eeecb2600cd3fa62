import PosterCodec

/// The kinds of messages between a server and its workers.
enum MessageKind: UInt16 {
    // From a worker.
    case hello = 1
    case decoded
    case encoded
    case hashed
    case stepped
    case failed
    // To a worker.
    case decode = 32
    case decodePlanes
    case encode
    case hash
    case beginArriving
    case step
    case endArriving
}

/// The frame of a message, with its kind and length.
///
/// It has 12 bytes before the body: `OSCW`, the version and the kind as 16-bit and the length of the body as a 32-bit
/// little-endian number.
enum MessageFrame {
    static let version: UInt16 = 1
    static let length = 12
    /// Maximum length of a message with its frame, in bytes; a job of 32 targets takes at most a tenth, and nearly all
    /// of it with the longest badges.
    static let limit = 96 << 10

    private static let magic = Array("OSCW".utf8)

    /// - Throws: ``MalformedMessage`` if the message exceeds the limit.
    static func encode(_ kind: MessageKind, _ body: some MessageValue) throws(MalformedMessage) -> [UInt8] {
        var writer = MessageWriter(capacity: 1024)
        writer.write(body)
        guard writer.bytes.count <= Self.limit - Self.length else { throw MalformedMessage() }
        var message = Self.magic
        message.reserveCapacity(Self.length + writer.bytes.count)
        withUnsafeBytes(of: Self.version.littleEndian) { message.append(contentsOf: $0) }
        withUnsafeBytes(of: kind.rawValue.littleEndian) { message.append(contentsOf: $0) }
        withUnsafeBytes(of: UInt32(writer.bytes.count).littleEndian) { message.append(contentsOf: $0) }
        message += writer.bytes
        return message
    }

    /// Splits a message into kind and body.
    /// - Throws: ``MalformedMessage``.
    static func parse(
        _ message: UnsafeRawBufferPointer
    ) throws(MalformedMessage) -> (kind: MessageKind, body: UnsafeRawBufferPointer) {
        guard message.count >= Self.length, message.starts(with: Self.magic),
            UInt16(littleEndian: message.loadUnaligned(fromByteOffset: 4, as: UInt16.self)) == Self.version,
            let kind = MessageKind(
                rawValue: UInt16(littleEndian: message.loadUnaligned(fromByteOffset: 6, as: UInt16.self))),
            UInt32(littleEndian: message.loadUnaligned(fromByteOffset: 8, as: UInt32.self))
                == UInt32(message.count - Self.length)
        else { throw MalformedMessage() }
        return (kind, UnsafeRawBufferPointer(rebasing: message[Self.length...]))
    }
}

/// The position of an original's bytes in the message's first descriptor.
struct InputRecord: Hashable {
    var offset, byteCount: Int
    /// Whether the descriptor is sealed memory.
    var isMemory: Bool

    func check(_ limits: CodecLimits) throws {
        guard self.offset >= 0, self.offset <= 1 << 40, (1...max(1, limits.maxBytes)).contains(self.byteCount) else {
            throw MalformedMessage()
        }
    }
}

/// ``MessageKind/decode``; its reply is ``MessageKind/decoded``.
struct DecodeRequest {
    var input: InputRecord
    var job: RenderJob
    var limits: CodecLimits
}

/// ``MessageKind/decodePlanes``: a job from planes in the first descriptor; its reply is ``MessageKind/decoded``.
struct PlanesRequest {
    var planes: PlanesRecord
    var job: RenderJob
    var limits: CodecLimits
}

/// ``MessageKind/encode``: the unencoded picture is in the first descriptor; its reply is ``MessageKind/encoded``.
struct EncodeRequest {
    var picture: PictureRecord
    /// A job with the picture's target only.
    var job: RenderJob
    var limits: CodecLimits
    var byteCount: Int
}

/// ``MessageKind/hash``; its reply is ``MessageKind/hashed``.
struct HashRequest {
    var input: InputRecord
    var header: ImageHeader
    var limits: CodecLimits
}

/// ``MessageKind/beginArriving``: the job's input grows in the first descriptor; its reply is ``MessageKind/stepped``.
struct ArrivingRequest {
    /// The length of the whole file.
    var byteCount: Int
    var job: RenderJob
    var limits: CodecLimits
}

/// ``MessageKind/step``; its reply is ``MessageKind/stepped``, or ``MessageKind/decoded`` after the last one.
struct StepRequest {
    var groupLimit: Int
}

/// ``MessageKind/endArriving``, which has no reply.
struct EndRequest {}

/// A worker's consumption, part of every reply.
struct WorkerUsage: Hashable {
    /// CPU time of the request in nanoseconds.
    var cpuNanoseconds: UInt64
    /// Heap size after this request or one of the previous ones, in bytes.
    var heapBytes: UInt64

    /// Maximum accepted values, in nanoseconds and bytes, so that sums do not overflow.
    static let limit: UInt64 = 1 << 42
}

/// ``MessageKind/hello``: the first message of a worker, sent once it is confined.
struct HelloReply {
    var seccompError: Int32
    var landlockVersion: Int32
    var hasNoNewPrivileges: Bool
    /// Private writable memory before the first job, in bytes.
    var dataBytes: UInt64
    /// Mapped address space before the first job, in bytes.
    var spaceBytes: UInt64
}

/// ``MessageKind/decoded``: the results are in the first descriptor. Retained planes are in the second one, which the
/// server copies before it sends another request.
struct DecodedReply {
    var usage: WorkerUsage
    var decode, resample: UInt64
    var pictures: [PictureRecord]
    var planes: PlanesRecord?
}

/// ``MessageKind/encoded``: the file is in the first descriptor.
struct EncodedReply {
    var usage: WorkerUsage
    var byteCount: Int
    var encode: UInt64
}

/// ``MessageKind/hashed``.
struct HashedReply {
    var usage: WorkerUsage
    var dominantColour, thumbHash, blurHash: String
}

/// ``MessageKind/stepped``.
struct SteppedReply {
    var usage: WorkerUsage
    /// Whether all arrived bytes are decoded; otherwise the limit of the step was reached.
    var hasArrived: Bool
}

/// ``MessageKind/failed``.
struct FailedReply {
    var usage: WorkerUsage
    var error: ErrorRecord
}
