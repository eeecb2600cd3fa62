import Foundation
import Testing

@testable import OneSheetServer

struct DescriptorLimitTests {
    @Test(
        "connections leave descriptors for the rest",
        arguments: [
            (4096, 1 << 20, 4096), (4096, 1024, 448), (100, 1024, 100), (4096, 448, 16), (4, 448, 4),
        ])
    func connections(wanted: Int, limit: Int, expected: Int) throws {
        let limit = DescriptorLimit(initial: limit, current: limit)
        #expect(try limit.connections(wanted: wanted, openOriginals: 1152) == expected)
    }

    @Test func aLimitThatLeavesTooFewConnectionsIsRefused() {
        let limit = DescriptorLimit(initial: 446, current: 446)
        #expect {
            try limit.connections(wanted: 4, openOriginals: 1152)
        } throws: {
            "\($0)".contains("may open 446 files") && "\($0)".contains("to 448 or more")
        }
    }

    @Test func theLimitIsRaisedAsFarAsItGoes() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #expect(DescriptorLimit.raise().current == Int(clamping: limit.rlim_max))
        #expect(DescriptorLimit.raise().initial == Int(clamping: limit.rlim_max))
    }
}
