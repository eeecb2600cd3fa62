import Foundation
import Testing

@testable import OneSheetServer

struct DescriptorLimitTests {
    @Test(
        "connections leave descriptors for the rest",
        arguments: [
            (4096, 1 << 20, 4096), (4096, 1024, 704), (100, 1024, 100), (4096, 64, 16), (4, 64, 4), (4096, 336, 16),
        ])
    func connections(wanted: Int, limit: Int, expected: Int) {
        let connections = DescriptorLimit(initial: limit, current: limit).connections(wanted: wanted)
        #expect(connections == expected)
    }

    @Test func theLimitIsRaisedAsFarAsItGoes() {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        #expect(DescriptorLimit.raise().current == Int(clamping: limit.rlim_max))
        #expect(DescriptorLimit.raise().initial == Int(clamping: limit.rlim_max))
    }
}
