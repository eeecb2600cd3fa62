import PosterCodec
import Testing

@testable import PosterBench

@Suite struct DayTraceTests {
    static let day = DayTrace(posterCount: 2000, seconds: 600, requestCount: 50_000, seed: 1)

    @Test("a day is the same in every run, and another day is another")
    func isRepeatable() {
        func asked(_ seed: UInt64) -> [DayTrace.Request] {
            DayTrace(posterCount: 2000, seconds: 600, requestCount: 2000, seed: seed).sessions
                .flatMap(\.pages).flatMap(\.requests)
        }
        #expect(asked(1) == asked(1))
        #expect(asked(1) != asked(2))
    }

    @Test("sessions begin within the day, most of them in the evening, and the requests are as many as were wanted")
    func hasItsPace() {
        let starts = Self.day.sessions.map(\.start)
        #expect(starts == starts.sorted())
        #expect(starts.allSatisfy { (0..<600).contains($0) })
        #expect((50_000..<50_200).contains(Self.day.requestCount))
        let night = starts.count { (60..<180).contains($0) }
        let evening = starts.count { (360..<480).contains($0) }
        #expect(evening > 4 * night)
    }

    @Test("a page shows a poster once, and a film that is opened was shown on the page before")
    func follows() {
        for session in Self.day.sessions {
            for (index, page) in session.pages.enumerated() {
                #expect(Set(page.requests.map(\.poster)).count == page.requests.count)
                if index > 0 {
                    #expect(session.pages[index - 1].requests.contains { $0.poster == page.requests[0].poster })
                }
            }
        }
    }

    @Test("a visitor has one screen and one format, and popular posters are asked for most")
    func isLikeVisitors() {
        for session in Self.day.sessions {
            #expect(Set(session.pages.flatMap(\.requests).map(\.target.format)).count == 1)
        }
        var counts = [Int](repeating: 0, count: 2000)
        for request in Self.day.sessions.flatMap(\.pages).flatMap(\.requests) { counts[request.poster] += 1 }
        let all = counts.reduce(0, +)
        #expect(counts.prefix(200).reduce(0, +) * 3 > all)
        #expect(counts.sorted().suffix(1000).reduce(0, +) < all)
    }

    @Test("a page of a catalogue with few posters is not full")
    func isSmall() {
        let day = DayTrace(posterCount: 3, seconds: 60, requestCount: 100, seed: 1)
        #expect(day.sessions.flatMap(\.pages).allSatisfy { !$0.requests.isEmpty && $0.requests.count <= 3 })
    }

    @Test("rows without planes render nothing ahead")
    func rows() {
        let rows = TraceRow.all(planes: [0, 12], ahead: [false, true])
        #expect(
            rows == [
                TraceRow(planesPercent: 0, rendersAhead: false), TraceRow(planesPercent: 12, rendersAhead: false),
                TraceRow(planesPercent: 12, rendersAhead: true),
            ])
    }
}
