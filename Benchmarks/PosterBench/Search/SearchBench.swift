import ArgumentParser
import EmbeddedCatalogue

/// `poster-bench search`
struct SearchBench: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "search",
        abstract: "Measures the search for films with each typed letter, and the memory of its index.",
        discussion: """
            The films are generated, the same in every run. Titles and names are typed letter by letter: as they are, \
            with one error, and with two.
            """)

    @Option(help: "The number of films.")
    var films = 100_000

    @Option(help: "The number of titles and names that are typed, for each number of errors.")
    var queries = 200

    @Option(help: "Maximum memory of the index, in MiB.")
    var limitMebibytes: Int?

    @Option(help: "Maximum p99 of a search, in milliseconds.")
    var limitMilliseconds: Double?

    func validate() throws {
        guard self.films > 0, self.queries > 0 else { throw ValidationError("--films and --queries must be above 0") }
    }

    func run() throws {
        var generated = GeneratedFilms()
        let before = try PeakMemory.residentOfThisProcess()
        var typed: [(film: Int, text: String)] = []
        let start = Clock.now()
        let every = max(1, self.films / self.queries)
        let index = FilmSearchIndex(
            (0..<self.films).lazy.map { place in
                let film = generated.film(place)
                if place % every == 0, typed.count < self.queries {
                    let texts = film.titles.prefix(3) + film.directors.flatMap { $0.prefix(1) }
                    typed.append((place, texts[place / every % 4]))
                }
                return film
            })
        let seconds = Double(Clock.now() - start) / 1e9
        let resident = try PeakMemory.residentOfThisProcess() - before
        print(
            "\(self.films) films: index of \(index.byteCount >> 20) MiB built in \(seconds.fixed(1)) s; resident memory \(resident >> 20) MiB more"
        )
        var worst = 0.0
        for errors in 0...2 { worst = max(worst, self.type(typed, errors: errors, &generated, index)) }
        if let limit = self.limitMebibytes, resident >> 20 > limit {
            throw BenchError("the index takes \(resident >> 20) MiB, more than \(limit)")
        }
        if let limit = self.limitMilliseconds, worst > limit {
            throw BenchError("99 of 100 searches take up to \(worst.fixed(2)) ms, more than \(limit)")
        }
    }

    /// - Returns: The 99th percentile in milliseconds.
    private func type(
        _ queries: [(film: Int, text: String)], errors: Int, _ generated: inout GeneratedFilms, _ index: FilmSearchIndex
    ) -> Double {
        var times: [UInt64] = []
        var slowest: (time: UInt64, text: String) = (0, "")
        var found = 0
        for query in queries {
            var text = query.text
            for _ in 0..<errors { text = generated.misspelled(text) }
            for count in 1...text.count {
                let prefix = String(text.prefix(count))
                let start = Clock.now()
                let films = FilmSearch.films(for: prefix, in: index)
                let time = Clock.now() - start
                times.append(time)
                if time > slowest.time { slowest = (time, prefix) }
                if count == text.count, films.prefix(3).contains(query.film) { found += 1 }
            }
        }
        times.sort()
        let p99 = Double(times[times.count * 99 / 100]) / 1e6
        let median = Double(times[times.count / 2]) / 1e6
        print(
            "\(errors) errors: \(times.count) searches, median \(median.fixed(2)) ms, p99 \(p99.fixed(2)) ms, "
                + "longest \((Double(slowest.time) / 1e6).fixed(2)) ms (\(slowest.text)); "
                + "\(found) of \(queries.count) among the first three")
        return p99
    }
}
