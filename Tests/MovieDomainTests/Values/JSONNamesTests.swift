import MovieDomain
import Testing

@Suite("Names of members in JSON", .timeLimit(.minutes(1)))
struct JSONNamesTests {
    private func exceedLimit(_ json: String) -> Bool { JSONNames.exceedLimit(in: Array(json.utf8)) }

    @Test func aNameIsLimitedWhereverItIs() {
        let most = String(repeating: "a", count: JSONNames.byteLimit)
        #expect(!self.exceedLimit("{\"\(most)\":1}"))
        #expect(self.exceedLimit("{\"\(most)a\":1}") && self.exceedLimit("[{\"b\\\"\":{\"\(most)a\" \n:1}}]"))
        #expect(self.exceedLimit("{\"\(most.dropLast())\u{301}\":1}"), "bytes count, not characters")
    }

    @Test func longStringsThatAreNoNamesAreAllowed() {
        let long = String(repeating: "\u{301}\u{316}", count: 200)
        #expect(!self.exceedLimit("{\"a\":\"\(long)\",\"b\\\\\":[\"\(long)\",\"\(long):\"]}"))
    }

    @Test(arguments: ["", "\"", "\"a\\", "{\"a", "\"\\\"", ":"])
    func malformedTextHasNoLongName(json: String) {
        let long = String(repeating: "a", count: 200)
        #expect(!self.exceedLimit(json) && !self.exceedLimit("\"\(long)\(json.dropFirst())"))
    }
}
