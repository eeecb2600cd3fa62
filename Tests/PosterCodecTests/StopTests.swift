import CodecTesting
import Glibc
import Testing

@testable import PosterCodec

@Suite(.computingThread) struct StopTests {
    static func file(isProgressive: Bool) throws -> [UInt8] {
        try FormulaPicture.gradient(width: 60, height: 160).jpeg(isProgressive: isProgressive)
    }

    @Test("a flag raised beforehand stops everything", arguments: OutputFormat.allCases, [false, true])
    func stopsAtOnce(format: OutputFormat, isProgressive: Bool) throws {
        let stop = StopFlag()
        #expect(!stop.isRaised)
        stop.raise()
        #expect(stop.isRaised)
        let file = try Self.file(isProgressive: isProgressive)
        #expect(throws: CodecError.stopped) {
            try file.rendered(width: 30, format: format, control: RenderControl(stop: stop))
        }
    }

    @Test(
        "a flag raised at any moment before the encoder is done stops the render, soon",
        arguments: OutputFormat.allCases, [false, true])
    func stopsAtAnyMoment(format: OutputFormat, isProgressive: Bool) throws {
        let file = try Self.file(isProgressive: isProgressive)
        let whole = Ticks()
        _ = try file.rendered(width: 30, format: format, control: whole.control)
        #expect(whole.count > 20, "the clock is read several times a group")
        // The last reading is after the encoder.
        for moment in 1..<whole.count {
            let clock = Ticks(raisingAt: moment)
            #expect(throws: CodecError.stopped) { try file.rendered(width: 30, format: format, control: clock.control) }
            #expect(clock.count <= max(moment + 5, whole.count - 1), "raised at \(moment)")
            #expect(clock.count <= moment + 5 || moment + 12 >= whole.count, "raised at \(moment)")
        }
        let late = Ticks(raisingAt: whole.count)
        let picture = try file.rendered(width: 30, format: format, control: late.control)
        #expect(late.stop.isRaised && !picture.bytes.isEmpty)
    }

    /// In irregular files, such as ones with bytes between segments, libjpeg reads all scans before the first rows.
    @Test("a progressive file's scans are not read to their end", arguments: [true, false])
    func stopsBetweenScans(isRegular: Bool) throws {
        let clock = Ticks(raisingAt: 1)
        var file = try Self.file(isProgressive: true)
        // After the JFIF segment.
        if !isRegular { file.insert(0, at: 20) }
        #expect(DecodedSamples(file, ownScans: true).endedWithScans == isRegular)
        #expect(throws: CodecError.stopped) { try file.rendered(width: 30, control: clock.control) }
        #expect(clock.count == 1, "stopped before the first rows were asked for")
    }

    @Test("the decoder stops in the middle of a picture without writing the rest of it")
    func stopsBetweenGroups() throws {
        let file = try Self.file(isProgressive: false)
        let clock = Ticks(raisingAt: 6)
        #expect(throws: CodecError.stopped) { try file.rendered(width: 30, control: clock.control) }
        #expect(clock.count <= 10)
    }

    @Test("each encoder stops by itself", arguments: [true, false])
    func stopsEncoders(isRaised: Bool) throws {
        let stop = StopFlag()
        if isRaised { stop.raise() }
        let planes = FormulaPicture.gradient(width: 80, height: 80).planes
        let encoders: [([Plane]) throws -> [UInt8]] = [
            { try JPEGEncoder(quality: 80).encode($0, control: .init(stop: stop)) },
            { try WebPEncoder(quality: 80).encode($0, watch: .init(.init(stop: stop), limits: .init())).array },
            { try AVIFEncoder(quality: 80).encode($0, watch: .init(.init(stop: stop), limits: .init())).array },
        ]
        for encode in encoders {
            if isRaised {
                #expect(throws: CodecError.stopped) { try encode(planes) }
            } else {
                #expect(try !encode(planes).isEmpty)
            }
        }
    }

    /// Another thread stops the encoder at an arbitrary moment, after its output has outgrown its first buffer. Either
    /// outcome is right; a crash or a leak is not.
    @Test("an encoder may be stopped in the middle of its output", arguments: OutputFormat.allCases)
    func stopsInTheMiddle(format: OutputFormat) throws {
        var random = SeededRandom(seed: 5)
        // aom takes longest for noise, and cannot be stopped within its call.
        let side = format == .avif ? 64 : 768
        var plane = Plane(width: side, height: side)
        for index in plane.samples.indices { plane.samples[index] = UInt8(truncatingIfNeeded: random.next()) }
        let planes = [plane]
        func encode(_ stop: StopFlag) throws -> [UInt8] {
            let watch = RenderWatch(.init(stop: stop), limits: .init())
            return switch format {
            case .png: try PNGEncoder().encode(DownsampledPicture.planes(planes).pixels(), watch: watch).array
            case .jpeg: try JPEGEncoder(quality: 100).encode(planes, control: .init(stop: stop))
            case .webp: try WebPEncoder(quality: 100).encode(planes, watch: watch).array
            case .avif: try AVIFEncoder(quality: 80).encode(planes, watch: watch).array
            case .jxl:
                try JXLEncoder(distance: JXLDistance(quality: 80))
                    .encode(DownsampledPicture.planes(planes).pixels(), watch: watch).array
            }
        }
        var whole: [UInt8] = []
        let duration = try ContinuousClock().measure { whole = try encode(StopFlag()) }
        for turn in 0..<16 {
            let stop = StopFlag()
            let thread = OwnThread {
                let clock = ContinuousClock()
                let moment = clock.now + duration * turn / 16
                while clock.now < moment {}
                stop.raise()
            }
            let result = Result { try encode(stop) }
            thread.join()
            switch result {
            case .success(let bytes): #expect(bytes == whole)
            case .failure(let error): #expect(error as? CodecError == .stopped)
            }
        }
    }
}

/// A separate thread: the threads that run the tests may all be busy with codecs.
private final class OwnThread {
    private final class Body {
        let run: @Sendable () -> Void

        init(run: @escaping @Sendable () -> Void) {
            self.run = run
        }
    }

    private var thread = pthread_t()

    init(_ body: @escaping @Sendable () -> Void) {
        let body = Unmanaged.passRetained(Body(run: body))
        let failure = pthread_create(
            &self.thread, nil,
            { context in
                Unmanaged<Body>.fromOpaque(context!).takeRetainedValue().run()
                return nil
            }, body.toOpaque())
        precondition(failure == 0, "no thread")
    }

    func join() {
        pthread_join(self.thread, nil)
    }
}
