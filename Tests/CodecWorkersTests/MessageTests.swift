import CodecTesting
import Testing

@testable import CodecWorkers
@testable import PosterCodec

@Suite struct MessageTests {
    private static func target(_ effect: RenderTarget.Effect) -> RenderTarget {
        var target = RenderTarget(width: 60, format: .jpeg)
        target.effect = effect
        return target
    }

    private func job() throws -> RenderJob {
        let bytes = try WorkerFixture.jpeg(width: 100, height: 150)
        return try WorkerFixture.job(
            bytes,
            [
                RenderTarget(width: 50, format: .webp), RenderTarget(height: 70, format: .avif, quality: 33),
                Self.target(.blur), Self.target(.duotone(dark: .white, light: .init(red: 1, green: 2, blue: 3))),
            ])
    }

    @Test func aJobComesBackAsItWas() throws {
        let request = DecodeRequest(
            input: InputRecord(offset: 4096, byteCount: 12_345, isMemory: false), job: try self.job(), limits: .init())
        let message = try MessageFrame.encode(.decode, request)
        try message.withUnsafeBytes { bytes in
            let (kind, body) = try MessageFrame.parse(bytes)
            #expect(kind == .decode)
            let read = try MessageReader.read(DecodeRequest.self, from: body)
            #expect(read.input == request.input && read.job == request.job && read.limits == request.limits)
            try read.job.check()
        }
    }

    @Test func aJobOfTheLongestBadgesFitsIntoAMessage() throws {
        let text = String(repeating: "e" + String(repeating: "\u{301}", count: 7), count: Badges.Badge.maxTextLength)
        let badges = Badges(
            Array(repeating: .init(text: text, colour: .white), count: Badges.limit), position: .bottomRight,
            style: .square)
        let target = RenderTarget(width: 4096, height: 4096, format: .webp, badges: badges)
        let job = RenderJob(
            source: try self.job().source, byteCount: 1 << 20,
            targets: Array(repeating: RenderJob.Target(target), count: RenderJob.targetLimit), scale: .none)
        let input = InputRecord(offset: 0, byteCount: 1 << 20, isMemory: false)
        let message = try MessageFrame.encode(.decode, DecodeRequest(input: input, job: job, limits: .init()))
        #expect(message.count <= MessageFrame.limit / 10 * 9)
    }

    @Test(arguments: [
        CodecError.truncated, .damaged(reason: "x"), .overLimit(.scans, value: 101, limit: 100), .stopped,
        .sideTooLong(pixels: 9000, limit: 8192), .unencodable(reason: "é"), .notAnImage(seems: "text"),
    ])
    func anErrorComesBackAsItWas(_ error: CodecError) throws {
        let reply = FailedReply(usage: WorkerUsage(cpuNanoseconds: 1, heapBytes: 2), error: ErrorRecord(error))
        try MessageFrame.encode(.failed, reply).withUnsafeBytes { bytes in
            let read = try MessageReader.read(FailedReply.self, from: MessageFrame.parse(bytes).body)
            #expect(read.error.codecError == error && read.usage == reply.usage)
        }
    }

    @Test func textsOfErrorsAreBoundedAndPrintable() throws {
        for text in [String(repeating: "\u{1B}[31m", count: 1000), "x" + String(repeating: "é", count: 1000)] {
            guard case .damaged(let reason)? = ErrorRecord(.damaged(reason: text)).codecError else {
                Issue.record("another error")
                return
            }
            #expect(reason.utf8.count <= ErrorRecord.textLimit && !reason.utf8.contains(0x1B))
            #expect(!reason.unicodeScalars.contains("\u{FFFD}"))
        }
    }

    @Test func aMessageOfAnotherVersionIsMalformed() throws {
        var message = try MessageFrame.encode(.step, StepRequest(groupLimit: 1))
        message[4] += 1
        #expect(throws: MalformedMessage.self) { try message.withUnsafeBytes { _ = try MessageFrame.parse($0) } }
    }

    @Test(arguments: [0, 5, 1 << 40]) func aHeaderWithAnImpossibleSamplingFactorIsMalformed(_ factor: Int) {
        let header = ImageHeader(
            format: .jpeg, width: 100, height: 150, bitDepth: 8, colourModel: .yCbCr,
            sampling: [.init(horizontal: 1, vertical: factor)], isProgressive: false, isMultiScan: false)
        #expect(throws: MalformedMessage.self) { try header.checkMessage() }
    }

    /// Changes, truncates and lengthens messages, as a compromised worker could.
    @Test func aChangedReplyIsAnErrorOrAValueWithinBounds() throws {
        let usage = WorkerUsage(cpuNanoseconds: 1, heapBytes: 2)
        let picture = PictureRecord(
            index: 0, kind: .planes,
            shapes: [.init(width: 50, height: 75), .init(width: 25, height: 38), .init(width: 25, height: 38)],
            offset: 0, byteCount: 64 * 75 + 2 * 32 * 38)
        #expect(picture.isConsistent(size: picture.byteCount) && !picture.isConsistent(size: picture.byteCount - 1))
        let messages = [
            try MessageFrame.encode(
                .decoded,
                DecodedReply(usage: usage, decode: 1, resample: 1, pictures: [picture, picture], planes: nil)),
            try MessageFrame.encode(
                .failed, FailedReply(usage: usage, error: ErrorRecord(.damaged(reason: "a reason")))),
            try MessageFrame.encode(
                .hashed, HashedReply(usage: usage, dominantColour: "#102030", thumbHash: "AAAA", blurHash: "LEHV6n")),
            try MessageFrame.encode(.encoded, EncodedReply(usage: usage, byteCount: 3, encode: 1)),
            try MessageFrame.encode(
                .hello,
                HelloReply(
                    seccompError: 0, landlockVersion: 7, hasNoNewPrivileges: true, dataBytes: 1 << 20,
                    spaceBytes: 1 << 30)),
        ]
        var random = SeededRandom(seed: 23)
        for _ in 0..<20_000 {
            var message = messages[Int.random(in: messages.indices, using: &random)]
            Self.change(&message, &random)
            message.withUnsafeBytes { Self.read($0) }
        }
    }

    @Test func timesOfAWorkerAreLimited() {
        var timings = StageTimings()
        (timings.decode, timings.resample, timings.encode) = (.max, .max, .max)
        let record = PictureRecord(index: 0, timings: timings, kind: .file, shapes: [], offset: 0, byteCount: 1)
        #expect(record.timings.decode == PictureRecord.timeLimit)
        #expect(record.timings.resample == PictureRecord.timeLimit)
        #expect(record.timings.encode == PictureRecord.timeLimit)
    }

    @Test(arguments: [
        // Planes of a picture of 50 by 75 beyond which encoders would read.
        [(50, 75), (25, 38)], [(50, 75), (25, 37), (25, 38)], [(50, 75), (25, 38), (24, 38)],
        [(50, 75), (25, 38), (40, 38)], [(50, 75), (25, 38), (25, 38), (50, 74)],
        [(50, 75), (25, 38), (25, 38), (30, 75)],
    ])
    func planesOfNoPictureAreInconsistent(_ sides: [(Int, Int)]) {
        let byteCount = sides.reduce(0) { $0 + ($1.0 + 15) / 16 * 16 * $1.1 }
        let record = PictureRecord(
            index: 0, kind: .planes, shapes: sides.map { PictureRecord.Shape(width: $0.0, height: $0.1) }, offset: 0,
            byteCount: byteCount)
        #expect(!record.isConsistent(size: byteCount))
    }

    /// The same for requests.
    @Test func aChangedRequestIsAnErrorOrAValueWithinBounds() throws {
        let job = try self.job()
        let messages = [
            try MessageFrame.encode(
                .decode,
                DecodeRequest(
                    input: InputRecord(offset: 0, byteCount: 100, isMemory: true), job: job, limits: .init())),
            try MessageFrame.encode(.beginArriving, ArrivingRequest(byteCount: 1000, job: job, limits: .init())),
        ]
        var random = SeededRandom(seed: 32)
        for _ in 0..<10_000 {
            var message = messages[Int.random(in: messages.indices, using: &random)]
            Self.change(&message, &random)
            message.withUnsafeBytes { bytes in
                guard let (kind, body) = try? MessageFrame.parse(bytes) else { return }
                if kind == .decode, let request = try? MessageReader.read(DecodeRequest.self, from: body),
                    (try? request.job.check()) != nil
                {
                    _ = try? request.job.memory(limits: .init())
                    _ = try? request.input.check(.init())
                }
                if kind == .beginArriving { _ = try? MessageReader.read(ArrivingRequest.self, from: body) }
            }
        }
    }

    static func change(_ message: inout [UInt8], _ random: inout SeededRandom) {
        for _ in 0..<Int.random(in: 1...4, using: &random) {
            guard !message.isEmpty else { return }
            let place = Int.random(in: message.indices, using: &random)
            switch Int.random(in: 0..<8, using: &random) {
            case 0: message.removeLast(message.count - place)
            case 1: message.insert(UInt8.random(in: 0...255, using: &random), at: place)
            case 2: message[place] = 0xFF
            case 3: message[place] = 0
            default: message[place] = UInt8.random(in: 0...255, using: &random)
            }
        }
        // Repairs the frame most of the time, so that the body is read.
        if message.count >= MessageFrame.length, Bool.random(using: &random) || Bool.random(using: &random) {
            let count = UInt32(message.count - MessageFrame.length)
            withUnsafeBytes(of: count.littleEndian) { message.replaceSubrange(8..<12, with: $0) }
        }
    }

    private static func read(_ bytes: UnsafeRawBufferPointer) {
        guard let (kind, body) = try? MessageFrame.parse(bytes) else { return }
        switch kind {
        case .decoded:
            guard let reply = try? MessageReader.read(DecodedReply.self, from: body) else { return }
            for picture in reply.pictures where picture.isConsistent(size: 10_000) {
                #expect(picture.offset >= 0 && picture.offset + picture.byteCount <= 10_000)
            }
            if let planes = reply.planes, planes.isConsistent(size: 10_000, limits: .init()) {
                #expect(planes.byteCount + planes.profileByteCount == 10_000)
            }
        case .failed:
            let reply = try? MessageReader.read(FailedReply.self, from: body)
            #expect((reply?.error.codecError?.description.utf8.count ?? 0) < 2 * ErrorRecord.textLimit)
        case .hashed:
            guard let reply = try? MessageReader.read(HashedReply.self, from: body) else { return }
            let hashes = PictureHashes(
                dominantColour: reply.dominantColour, thumbHash: reply.thumbHash, blurHash: reply.blurHash)
            #expect(hashes.map { $0.blurHash.utf8.count <= 64 } ?? true)
        case .encoded: _ = try? MessageReader.read(EncodedReply.self, from: body)
        case .hello: _ = try? MessageReader.read(HelloReply.self, from: body)
        default: break
        }
    }
}
