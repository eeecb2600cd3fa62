import MovieDomain
import Testing

struct CalendarDateTests {
    @Test("reads days that exist", arguments: ["1922-03-04", "2000-02-29", "1904-02-29", "1968-12-31", "0001-01-01"])
    func reads(text: String) throws {
        #expect(try #require(CalendarDate(text)).description == text)
    }

    @Test(
        "refuses everything else",
        arguments: [
            "", "1922", "1922-3-4", "1922-13-01", "1922-00-01", "1922-04-31", "1900-02-29", "1922-03-04 ", "+922-03-04",
            "1922/03/04", "1922-03-04-05", "１９２２-03-04",
        ])
    func refuses(text: String) {
        #expect(CalendarDate(text) == nil)
    }
}
