import CodecTesting
import Glibc
import Testing

@testable import PosterCodec

/// Files that cost more than their size suggests are planned for, or refused.
@Suite(.computingThread) struct HostileFileTests {
    @Test("what a profile's tables take is known from its header")
    func estimatesTables() throws {
        let table = ICCProfile.table8(inputs: 3, outputs: 3, grid: 60)
        let plain = try HostileFiles.png(profile: ICCProfile.displayP3().bytes).header()
        let large = try HostileFiles.png(profile: ICCProfile.tables([("A2B1", table)]).bytes).header()
        #expect(plain.profileBytes == ICCProfile.displayP3().bytes.count)
        #expect(plain.profileWorkingBytes <= 3 << 19, "of an ordinary profile there are only curves")
        #expect(large.profileWorkingBytes - plain.profileWorkingBytes >= 8 * table.count, "four tables of 16 bits")
        // Of several tables, only one is read, and never the one back to RGB.
        let tags = [("A2B0", table), ("A2B1", table), ("A2B2", table), ("B2A1", table)]
        let shared = try HostileFiles.png(profile: ICCProfile.tables(tags).bytes).header()
        #expect(shared.profileWorkingBytes - large.profileWorkingBytes <= 1000)
    }

    @Test("the estimate is the same for any format and any order of a JPEG's segments", arguments: [1, 2, 9, 40])
    func estimatesSegments(parts: Int) throws {
        let profile = ICCProfile.tables([("A2B0", ICCProfile.table8(inputs: 3, outputs: 3, grid: 12))]).bytes
        let expected = try HostileFiles.png(profile: profile).header()
        let jpeg = try FormulaPicture.gradient(width: 20, height: 20).jpeg()
        let segments = JPEGSegment.profile(profile, parts: parts)
        for segments in [segments, segments.reversed()] {
            let header = try jpeg.splicing(segments).header()
            #expect(header.profileBytes == profile.count)
            #expect(header.profileWorkingBytes == expected.profileWorkingBytes)
        }
        let file = WebPFile(.canvas(.profile, 20, 30), .init("ICCP", profile), try WebPHeaderTests.lossy(20, 30))
        #expect(try file.bytes.header().profileWorkingBytes == expected.profileWorkingBytes)
    }

    @Test("a profile whose tables do not fit into the limit of memory is refused before anything is decoded")
    func refusesTables() throws {
        let bytes = HostileFiles.png(profile: HostileFiles.profiles[1].make().bytes)
        var limits = CodecLimits()
        limits.maxWorkingBytes = 32 << 20
        let error = #expect(throws: CodecError.self) { _ = try bytes.plan(width: 32, limits: limits) }
        guard case .overLimit(.workingMemory, 33_554_433..., 33_554_432) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test("a plan that was made for a smaller profile is not used for a larger one")
    func comparesProfiles() throws {
        let jpeg = try FormulaPicture.gradient(width: 20, height: 20).jpeg()
        let small = jpeg.splicing(JPEGSegment.profile(ICCProfile.displayP3().bytes))
        let table = ICCProfile.table8(inputs: 3, outputs: 3, grid: 20)
        let large = jpeg.splicing(JPEGSegment.profile(ICCProfile.tables([("A2B0", table)]).bytes))
        let plan = try small.plan(width: 10)
        #expect(throws: CodecError.damaged(reason: "not the colour profile that the plan was made from")) {
            _ = try large.rendered(as: plan)
        }
        #expect(throws: Never.self) { _ = try large.rendered(width: 10) }
    }

    @Test(
        "named colours and conversions between devices are no profiles of pictures",
        arguments: ["nmcl", "link", "abst"])
    func refusesOtherClasses(deviceClass: String) {
        var profile = ICCProfile.displayP3()
        #expect(ICCProfileSanitizer.trimmed(profile.bytes, channels: 3) != nil)
        profile.deviceClass = deviceClass
        #expect(ICCProfileSanitizer.trimmed(profile.bytes, channels: 3) == nil)
    }

    @Test(
        "the files are written for the fuzzer and for poster-bench survive",
        .enabled(if: HostileFileTests.folder != nil, "ONESHEET_HOSTILE_FILES names no folder"))
    func writes() throws {
        try Self.write(HostileFiles.all, to: #require(Self.folder))
    }

    @Test(
        "small AVIFs and GIFs are written for the fuzzer",
        .enabled(if: HostileFileTests.seedFolder != nil, "ONESHEET_FUZZ_SEEDS names no folder"))
    func writesSeeds() throws {
        try Self.write(FuzzSeeds.all, to: #require(Self.seedFolder))
    }

    private static func write(_ files: [HostileFiles.File], to folder: String) throws {
        for file in files {
            let bytes = try file.make()
            let path = "\(folder)/\(file.name)"
            let stream = try #require(fopen(path, "wbe"), "\(path) cannot be written")
            #expect(fwrite(bytes, 1, bytes.count, stream) == bytes.count, "\(path)")
            #expect(fclose(stream) == 0, "\(path)")
        }
    }

    static let folder = getenv("ONESHEET_HOSTILE_FILES").map { String(cString: $0) }
    static let seedFolder = getenv("ONESHEET_FUZZ_SEEDS").map { String(cString: $0) }
}
