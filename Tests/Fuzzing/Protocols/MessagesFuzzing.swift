@testable import CodecWorkers
@testable import PosterCodec

extension FuzzTarget {
    /// Messages between server and workers, in both directions. The first byte chooses whether the frame is written
    /// here, with the kind of the second byte.
    static let messages = FuzzTarget(
        "messages",
        words: [
            "OSCW", "\u{1}\u{0}", "\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}",
            "\u{1}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}", "jpeg", "webp", "avif", "jxl",
            "scans", "cpuTime", "#102030", "\u{7F}",
        ], seeds: messageSeeds
    ) { bytes in
        var input = FuzzInput(bytes)
        guard input.byte() & 1 == 0 else { return read(frame: input.rest()) }
        let kinds = Array(1...6) + Array(32...38)
        let kind = kinds[input.number(below: kinds.count)]
        let body = input.rest()
        let length = (0..<4).map { UInt8(truncatingIfNeeded: body.count >> (8 * $0)) }
        read(frame: Array("OSCW".utf8) + [1, 0, UInt8(kind), 0] + length + body)
    }

    private static func read(frame: [UInt8]) {
        frame.withUnsafeBytes { bytes in
            guard let (kind, body) = try? MessageFrame.parse(bytes) else { return }
            switch kind {
            case .hello: copy(HelloReply.self, kind, body)
            case .decoded:
                guard let reply = copy(DecodedReply.self, kind, body) else { return }
                for picture in reply.pictures {
                    _ = picture.timings
                    guard job.targets.indices.contains(picture.index), picture.isConsistent(size: 1 << 20) else {
                        continue
                    }
                    _ = try? PendingPicture(
                        picture, of: job, limits: limits,
                        file: EncodedBytes(taking: .allocate(byteCount: 1, alignment: 1)))
                }
                if let planes = reply.planes { _ = planes.isConsistent(size: 1 << 20, limits: limits) }
            case .encoded: copy(EncodedReply.self, kind, body)
            case .hashed:
                guard let reply = copy(HashedReply.self, kind, body) else { return }
                _ = PictureHashes(
                    dominantColour: reply.dominantColour, thumbHash: reply.thumbHash, blurHash: reply.blurHash)
            case .stepped: copy(SteppedReply.self, kind, body)
            case .failed:
                guard let error = copy(FailedReply.self, kind, body)?.error.codecError else { return }
                check(ErrorRecord(error).text.utf8.count <= ErrorRecord.textLimit, "an error's text is too long")
            case .decode:
                guard let request = copy(DecodeRequest.self, kind, body) else { return }
                try? request.input.check(limits)
                plan(request.job)
            case .decodePlanes:
                guard let request = copy(PlanesRequest.self, kind, body) else { return }
                _ = request.planes.isConsistent(size: 1 << 20, limits: limits)
                plan(request.job)
            case .encode:
                guard let request = copy(EncodeRequest.self, kind, body) else { return }
                _ = request.picture.isConsistent(size: request.byteCount)
                plan(request.job)
            case .hash:
                guard let request = copy(HashRequest.self, kind, body), (try? request.header.checkMessage()) != nil
                else { return }
                _ = try? PictureHashes.plan(for: request.header, limits: limits)
            case .beginArriving:
                guard let request = copy(ArrivingRequest.self, kind, body) else { return }
                plan(request.job)
            case .step: copy(StepRequest.self, kind, body)
            case .endArriving: break
            }
        }
    }

    /// Reads a message, and checks that it is written as it was read.
    @discardableResult
    private static func copy<Value: MessageValue>(
        _ type: Value.Type, _ kind: MessageKind, _ body: UnsafeRawBufferPointer
    ) -> Value? {
        guard let value = try? MessageReader.read(type, from: body) else { return nil }
        // Only texts that are not UTF-8 are written differently.
        guard let written = try? MessageFrame.encode(kind, value) else { return value }
        let isText = String(validating: body, as: UTF8.self) != nil
        check(!isText || written.dropFirst(MessageFrame.length).elementsEqual(body), "\(kind) is written differently")
        return value
    }

    /// A job that passes the worker's check can be planned.
    private static func plan(_ job: RenderJob) {
        guard (try? job.check()) != nil else { return }
        for index in job.targets.indices { _ = try? job.plan(index, limits: limits) }
    }

    private static let limits = CodecLimits()
    private static let job = RenderJob(
        source: ImageHeader(
            format: .jpeg, width: 100, height: 150, bitDepth: 8, colourModel: .yCbCr,
            sampling: [
                .init(horizontal: 2, vertical: 2), .init(horizontal: 1, vertical: 1), .init(horizontal: 1, vertical: 1),
            ],
            isProgressive: false, isMultiScan: false),
        byteCount: 5000,
        targets: [.init(RenderTarget(width: 50, format: .webp)), .init(RenderTarget(height: 70, format: .avif))],
        scale: .none)

    private static func messageSeeds() throws -> [[UInt8]] {
        let usage = WorkerUsage(cpuNanoseconds: 1, heapBytes: 2)
        let picture = PictureRecord(
            index: 0, kind: .planes,
            shapes: [.init(width: 50, height: 75), .init(width: 25, height: 38), .init(width: 25, height: 38)],
            offset: 0, byteCount: 64 * 75 + 2 * 32 * 38)
        let input = InputRecord(offset: 4096, byteCount: 5000, isMemory: false)
        let messages = [
            try MessageFrame.encode(
                .hello,
                HelloReply(
                    seccompError: 0, landlockVersion: 7, hasNoNewPrivileges: true, dataBytes: 1 << 20,
                    spaceBytes: 1 << 30)),
            try MessageFrame.encode(
                .decoded, DecodedReply(usage: usage, decode: 1, resample: 1, pictures: [picture, picture], planes: nil)),
            try MessageFrame.encode(.encoded, EncodedReply(usage: usage, byteCount: 3, encode: 1)),
            try MessageFrame.encode(
                .hashed, HashedReply(usage: usage, dominantColour: "#102030", thumbHash: "AAAA", blurHash: "LEHV6n")),
            try MessageFrame.encode(.stepped, SteppedReply(usage: usage, hasArrived: true)),
            try MessageFrame.encode(
                .failed, FailedReply(usage: usage, error: ErrorRecord(.damaged(reason: "a reason")))),
            try MessageFrame.encode(.decode, DecodeRequest(input: input, job: job, limits: limits)),
            try MessageFrame.encode(
                .encode, EncodeRequest(picture: picture, job: job, limits: limits, byteCount: 8192)),
            try MessageFrame.encode(.hash, HashRequest(input: input, header: job.source, limits: limits)),
            try MessageFrame.encode(.beginArriving, ArrivingRequest(byteCount: 5000, job: job, limits: limits)),
            try MessageFrame.encode(.step, StepRequest(groupLimit: 1)),
        ]
        return messages.map { [1] + $0 }
    }
}
