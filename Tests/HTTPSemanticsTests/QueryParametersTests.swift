import HTTPSemantics
import Testing

struct QueryParametersTests {
    private enum Order: String, CaseIterable { case up, down, none }

    private func parameters(_ pairs: (String, String)...) throws(Problem) -> QueryParameters {
        let pairs = pairs.map { (name: $0.0, value: $0.1) }
        return try QueryParameters(pairs, known: ["a", "b", "order"], names: "a, b and order")
    }

    @Test("a parameter is known, and given once")
    func knownOnes() throws {
        let given = try self.parameters(("a", "1"), ("order", "up"))
        #expect(given["a"] == "1" && given["b"] == nil)
        #expect(given.hasOthers(than: ["a"]) && !given.hasOthers(than: ["a", "order", "b"]))

        let name = String(repeating: "x", count: 70)
        let unknown = #expect(throws: Problem.self) { try self.parameters((name, "")) }
        #expect(unknown?.kind == .invalidParameter)
        #expect(
            unknown?.detail == "'\(name.prefix(64))' is not a parameter of this resource; it takes a, b and order",
            "long names are cut")

        let repeated = #expect(throws: Problem.self) { try self.parameters(("a", "1"), ("b", ""), ("a", "1")) }
        #expect(repeated?.parameter == Problem.Parameter("a", .repetition))
    }

    @Test("a value that is not accepted is named in the problem")
    func values() throws {
        let given = try self.parameters(("a", "7"), ("order", "down"), ("b", "left"))
        #expect(try given.value("a", accepted: "a number", QueryParameters.number) == 7)
        #expect(try given.choice("order") == Order.down)
        let none = try self.parameters()
        #expect(try none.value("a", accepted: "a number", QueryParameters.number) == nil)
        #expect(try none.choice("order") as Order? == nil)
        let problem = #expect(throws: Problem.self) { try given.choice("b") as Order? }
        #expect(problem?.detail == "b must be up, down or none" && problem?.parameter == Problem.Parameter("b"))
    }

    @Test("a number has one spelling")
    func numbers() {
        for (text, number) in [("0", 0), ("1", 1), ("7", 7), ("10", 10), ("9223372036854775807", Int.max)] {
            #expect(QueryParameters.number(text) == number, "\(text)")
        }
        for text in ["", "00", "007", "+1", "-1", " 1", "1 ", "1.0", "0x1", "1a", "٣", "9223372036854775808"] {
            #expect(QueryParameters.number(text) == nil, "\(text)")
        }
    }
}
