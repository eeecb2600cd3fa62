import CodecTesting
import Synchronization
import Testing

@testable import PosterCodec

/// Profiles, and data that inflates to nothing, are inflated under the watch.
@Suite(.computingThread) struct PNGProfileTests {
    /// Counts the watch's readings of the CPU time, and raises the stop flag at one of them.
    final class Meter: Sendable {
        private let readings = Atomic<Int>(0)
        private let fatal: Int?
        let stop = StopFlag()

        /// - Parameter fatal: The reading, counted from 1, that raises ``stop``.
        init(raisingAt fatal: Int? = nil) {
            self.fatal = fatal
        }

        /// The CPU time advances by a millisecond per reading.
        var control: RenderControl {
            RenderControl(stop: self.stop, cpuTime: { UInt64(self.next()) * 1_000_000 })
        }

        var count: Int { self.readings.load(ordering: .relaxed) }

        private func next() -> Int {
            let reading = self.readings.wrappingAdd(1, ordering: .relaxed).newValue
            if reading == self.fatal { self.stop.raise() }
            return reading
        }
    }

    /// A profile with a megabyte of padding.
    static let large: [UInt8] = {
        var profile = ICCProfile.displayP3()
        profile.tags.append(("data", ICCProfile.padding(1, byteCount: 1 << 20)))
        return profile.bytes
    }()

    /// The minimum number of readings while `byteCount` bytes of a stream are read.
    static func asks(of byteCount: Int) -> Int { byteCount >> 16 }

    @Test(
        "the watch is asked at least every 64 KiB of a profile's stream, and ends it at any time",
        arguments: [3, 9, 15])
    func stopsWithinProfiles(moment: Int) throws {
        let file = HostileFiles.png(profile: Self.large)
        let plan = try file.plan(width: 10)
        let whole = Meter()
        _ = try PNGPlanes(file, plan: plan, control: whole.control)
        #expect(whole.count >= Self.asks(of: Self.large.count))
        let stopped = Meter(raisingAt: moment)
        #expect(throws: CodecError.stopped) {
            _ = try PNGPlanes(file, plan: plan, control: stopped.control)
        }
        #expect(stopped.count == moment)
    }

    @Test("inflating a profile counts as CPU time")
    func limitsTime() throws {
        let file = HostileFiles.png(profile: Self.large)
        var limits = CodecLimits()
        limits.maxCPUNanoseconds = 10_000_000
        let meter = Meter()
        let plan = try file.plan(width: 10, limits: limits)
        #expect(throws: CodecError.overLimit(.cpuTime, value: 11, limit: 10)) {
            _ = try PNGPlanes(file, plan: plan, limits: limits, control: meter.control)
        }
    }

    @Test("a stream of blocks that hold nothing is left after some pieces, and the profile is as good as none")
    func leavesEmptyBlocks() throws {
        let stream = DeflateWriter.emptyBlocks(after: HostileFiles.promise, byteCount: 2 << 20)
        let file = HostileFiles.png(profileStream: stream)
        let header = try file.header()
        #expect(header.hasICCProfile && header.profileBytes == 4 << 20)
        let (meter, none) = (Meter(), Meter())
        let decoded = try PNGPlanes(file, control: meter.control)
        let plain = try PNGPlanes(PNGFile(width: 64, height: 64).bytes, control: none.control)
        #expect(decoded.tag == .sRGB && decoded.planes == plain.planes)
        #expect(meter.count <= none.count + 3)
    }

    @Test("a profile with a header after empty blocks is as good as none")
    func leavesLateProfiles() throws {
        let stream = DeflateWriter.emptyBlocks(after: [], byteCount: 4096) + [0, 0, 0, 0xFF, 0xFF]
        let file = HostileFiles.png(profileStream: stream)
        let header = try file.header()
        #expect(header.hasICCProfile && header.profileBytes == 0 && header.profileWorkingBytes == 0)
        #expect(try PNGPlanes(file).tag == .sRGB)
    }

    @Test(
        "a profile that was compressed in any way comes out whole",
        arguments: [0, 1, 131, 132, 133, 1331, 1332, 1333, 65_536])
    func readsProfiles(padding: Int) throws {
        var profile = ICCProfile.displayP3()
        profile.tags.append(("data", ICCProfile.padding(1, byteCount: padding)))
        let bytes = profile.bytes
        // Nine-bit literals where a stored block would be shorter: the least efficient encoding in practice.
        var writer = DeflateWriter()
        writer.beginBlock(1)
        for byte in bytes { writer.put(fixed: Int(byte)) }
        writer.put(fixed: 256)
        for stream in [PNGFile.deflated(bytes), writer.finished(bytes)] {
            let file = HostileFiles.png(profileStream: stream)
            #expect(try file.header().profileBytes == bytes.count)
            #expect(try PNGPlanes(file).tag == .profile(bytes))
        }
    }

    @Test("only the first profile counts, even when it is broken")
    func takesTheFirst() throws {
        let (one, other) = (ICCProfile.displayP3().bytes, ICCProfile.adobeRGB().bytes)
        var file = PNGFile(width: 4, height: 4)
        file.beforePalette = [.profile(one), .profile(other)]
        #expect(try PNGPlanes(file.bytes).tag == .profile(one))
        file.beforePalette[0].checksumError = 1
        #expect(try PNGPlanes(file.bytes).tag == .sRGB)
    }

    @Test("data that inflates to nothing asks the watch for every 64 KiB, too", arguments: [3, 12])
    func stopsWithinEmptyData(moment: Int) throws {
        let file = HostileFiles.png(emptyDataBytes: 1 << 20)
        let plan = try file.plan(width: 10)
        let whole = Meter()
        _ = try PNGPlanes(file, plan: plan, control: whole.control)
        #expect(whole.count >= Self.asks(of: 1 << 20))
        let stopped = Meter(raisingAt: moment)
        #expect(throws: CodecError.stopped) {
            _ = try PNGPlanes(file, plan: plan, control: stopped.control)
        }
        #expect(stopped.count == moment)
    }
}
