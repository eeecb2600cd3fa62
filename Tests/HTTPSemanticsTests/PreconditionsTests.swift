import HTTPTypes
import Testing

@testable import HTTPSemantics

/// RFC 9110, 13.2.2.
struct PreconditionsTests {
    private static let own = EntityTag(digestOf: ["a"]).description
    private static let before = "Sun, 06 Nov 1994 08:49:36 GMT"
    private static let same = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let after = "Sunday, 06-Nov-94 08:49:38 GMT"
    private static let second: Int64 = 784_111_777

    private struct Case: Sendable, CustomTestStringConvertible {
        var match: String?
        var unmodified: String?
        var noneMatch: String?
        var modified: String?
        var outcome: Preconditions.Outcome
        /// The outcome for a resource without a date.
        var undated: Preconditions.Outcome?

        var testDescription: String { "\(self)" }
    }

    private static let cases = [
        Case(outcome: .met),
        Case(match: own, outcome: .met), Case(match: "*", outcome: .met), Case(match: "\"x\"", outcome: .failed),
        Case(match: "\"x\", \(own)", outcome: .met), Case(match: "W/\(own)", outcome: .failed),
        Case(match: "", outcome: .failed),
        Case(match: own, unmodified: before, outcome: .met), Case(match: "\"x\"", unmodified: after, outcome: .failed),
        Case(unmodified: before, outcome: .failed, undated: .met), Case(unmodified: same, outcome: .met),
        Case(unmodified: after, outcome: .met), Case(unmodified: "yesterday", outcome: .met),
        Case(noneMatch: own, outcome: .notModified), Case(noneMatch: "W/\(own)", outcome: .notModified),
        Case(noneMatch: "*", outcome: .notModified), Case(noneMatch: "\"x\" ,\t\(own)", outcome: .notModified),
        Case(noneMatch: "\"x\"", outcome: .met), Case(noneMatch: "", outcome: .met),
        Case(noneMatch: "\"x\"", modified: after, outcome: .met),
        Case(noneMatch: own, modified: before, outcome: .notModified),
        Case(modified: before, outcome: .met), Case(modified: same, outcome: .notModified, undated: .met),
        Case(modified: after, outcome: .notModified, undated: .met), Case(modified: "yesterday", outcome: .met),
        Case(match: own, noneMatch: own, outcome: .notModified), Case(match: "\"x\"", noneMatch: own, outcome: .failed),
        Case(match: own, modified: same, outcome: .notModified, undated: .met),
        Case(unmodified: before, noneMatch: own, outcome: .failed, undated: .notModified),
        Case(unmodified: same, modified: same, outcome: .notModified, undated: .met),
    ]

    @Test func aTagIsTheSameInAllProcesses() {
        #expect(EntityTag(digestOf: ["abc"]).description == "\"ba7816bf8f01cfea414140de5dae2223\"")
    }

    @Test("what comes of conditions", arguments: Self.cases)
    private func outcomes(_ each: Case) {
        var fields = HTTPFields()
        fields[.ifMatch] = each.match
        fields[.ifUnmodifiedSince] = each.unmodified
        fields[.ifNoneMatch] = each.noneMatch
        fields[.ifModifiedSince] = each.modified
        let conditions = Preconditions(fields)
        let tag = EntityTag(digestOf: ["a"])
        #expect(conditions.outcome(tag: tag, modifiedAt: Self.second) == each.outcome)
        #expect(conditions.outcome(tag: tag, modifiedAt: nil) == each.undated ?? each.outcome)
        #expect(conditions.settles(tag) == (each.match == nil && (each.undated ?? each.outcome) != .met))
        #expect(conditions.areGiven == (each.match != nil || each.noneMatch != nil))
    }

    @Test func aListOfTagsMatchesItsOwnOnly() {
        let tag = EntityTag(digestOf: ["a"])
        #expect(tag == EntityTag(hexadecimal: tag.description.filter(\.isHexDigit) + "00"), "128 bits count")
        #expect(!IfNoneMatch(nil).matches(tag) && !IfNoneMatch("").matches(tag))
        for value in ["W/\"x\"", "\"x\"", "W/\"x\", \"y\"", "W/", "w/\(tag)"] {
            #expect(!IfNoneMatch(value).matches(tag), "\(value)")
        }
        for value in ["\(tag)", "W/\(tag)", "\"x\", W/\(tag)", "*", "\"x\", \(tag)"] {
            #expect(IfNoneMatch(value).matches(tag), "\(value)")
        }
    }
}
