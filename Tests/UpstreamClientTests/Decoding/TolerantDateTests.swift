import MovieDomain
import Testing

@testable import UpstreamClient

struct TolerantDateTests {
    /// A text and the year, day and moment that it contains.
    struct Written: Sendable, CustomTestStringConvertible {
        let text: String
        let year: Int?
        var date: String?
        var instant: String?

        var testDescription: String { self.text }
    }

    @Test(
        "days, moments and years are read however they are written",
        arguments: [
            Written(text: "2011-12-15", year: 2011, date: "2011-12-15"),
            Written(text: "20120913", year: 2012, date: "2012-09-13"),
            Written(text: " 2021 ", year: 2021),
            Written(text: "20120000", year: 2012),
            Written(text: "20120900", year: 2012),
            Written(text: "2012-09", year: 2012),
            Written(text: "2023-02-30", year: 2023),
            Written(text: "2015-12-18T08:00:00Z", year: 2015, date: "2015-12-18", instant: "2015-12-18T08:00:00Z"),
            Written(
                text: "2023-06-10T12:36:51.000+09:00", year: 2023, date: "2023-06-10", instant: "2023-06-10T03:36:51Z"),
            Written(text: "2020-01-01T00:30:00-0330", year: 2020, date: "2020-01-01", instant: "2020-01-01T04:00:00Z"),
            Written(text: "2023-01-31 11:30:09 UTC", year: 2023, date: "2023-01-31", instant: "2023-01-31T11:30:09Z"),
            Written(text: "2021-06-23T15:58:26.5Z", year: 2021, date: "2021-06-23", instant: "2021-06-23T15:58:26Z"),
            Written(text: "2021-06-23T25:00:00Z", year: 2021, date: "2021-06-23"),
            Written(text: "05 Nov 2021", year: 2021, date: "2021-11-05"),
            Written(text: "5 November 2021", year: 2021, date: "2021-11-05"),
            Written(
                text: "Mon, 19 Nov 2018 12:35:03 +0900", year: 2018, date: "2018-11-19",
                instant: "2018-11-19T03:35:03Z"),
            Written(
                text: "Sun, 06 Nov 1994 08:49:37 GMT", year: 1994, date: "1994-11-06", instant: "1994-11-06T08:49:37Z"),
            Written(text: "2023.07.26", year: 2023, date: "2023-07-26"),
            Written(text: "", year: nil), Written(text: "N/A", year: nil), Written(text: "soon", year: nil),
            Written(text: "0000-00-00", year: nil), Written(text: "123", year: nil), Written(text: "2021년", year: nil),
            Written(text: "05 Foo 2021", year: nil), Written(text: "-2011-12-15", year: nil),
        ])
    func reads(_ written: Written) {
        let date = TolerantDate(written.text)
        #expect(date?.year == written.year)
        #expect(date?.date?.description == written.date)
        #expect(date?.instant?.description == written.instant)
    }

    @Test(
        arguments: [("2021", 2021), ("2011–2019", 2011), ("2018년", 2018), ("20211", nil), ("12", nil), ("", nil)]
            as [(String, Int?)])
    func theYearOfAText(text: String, year: Int?) {
        #expect(TolerantDate.year(of: text) == year)
    }
}
