import HTTPSemantics
import MovieDomain
import Testing

@testable import MovieWeb

struct BoxOfficeAddressTests {
    private func address(_ pairs: KeyValuePairs<String, String>) throws -> BoxOfficeAddress {
        let names = BoxOfficeAddress.parameters
        return try BoxOfficeAddress(
            QueryParameters(pairs.map { ($0.key, $0.value) }, known: names, names: names.joined(separator: ", ")))
    }

    private func text(_ address: BoxOfficeAddress) -> String {
        address.query.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }

    @Test func whatGoesWithoutSayingIsNotInIt() throws {
        #expect(self.text(try self.address([:])) == "")
        #expect(self.text(try self.address(["view": "list"])) == "")
        let all = try self.address(["view": "posters", "origin": "korean", "span": "weekend", "date": "2024-05-05"])
        #expect(self.text(all) == "date=2024-05-05&span=weekend&origin=korean&view=posters")
        #expect(try self.address(["date": "2024-05-05"]) == BoxOfficeAddress().on(CalendarDate("2024-05-05")))
    }

    @Test(arguments: [
        ("date", "2024-02-30", "YYYY-MM-DD"), ("date", "", "YYYY-MM-DD"),
        ("span", "month", "week, weekend or weekdays"),
        ("origin", "japanese", "korean or foreign"), ("view", "table", "list or posters"),
    ])
    func whatIsNotAcceptedIsNamed(name: String, value: String, accepted: String) throws {
        let problem = #expect(throws: Problem.self) { try self.address([name: value]) }
        #expect(try #require(problem?.detail).contains(accepted))
    }

    @Test func anotherSpanHasTheNearestDay() throws {
        let last = try #require(CalendarDate("2024-04-28"))
        let days = try #require(CalendarDate("2003-11-11"))...last
        let address = try self.address(["date": "2024-04-30", "origin": "foreign"])
        #expect(self.text(address.of(.weekend, days: days)) == "date=2024-04-28&span=weekend&origin=foreign")
        #expect(self.text(address.of(nil, days: days).from(nil)) == "date=2024-04-28")
        #expect(BoxOfficeAddress().of(.week, days: days).day == nil)
    }
}
