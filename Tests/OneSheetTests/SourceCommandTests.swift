import MovieDomain
import PosterTesting
import Testing

@testable import OneSheetConfiguration
@testable import onesheet

@Suite(.timeLimit(.hang))
struct SourceCommandTests {
    @Test func searchShowsATableAndForMachinesWhatTheServerAnswers() async throws {
        let table = try await Program.run(["search", "시민케인", "--language", "ko"])
        #expect(table.status == 0, "\(table.errors)")
        let lines = table.output.split(separator: "\n").map(String.init)
        #expect(lines.count == 2)
        #expect(lines[0].hasPrefix("Title"))
        #expect(lines[1].hasPrefix("시민 케인") && lines[1].hasSuffix("citizen-kane-1941"))
        #expect(lines[1].contains("Citizen Kane") && lines[1].contains("1941"))

        let machine = try await Program.run(["search", "citizen", "kane", "--language", "en", "--json"])
        let found = try JSON(Array(machine.output.utf8))
        #expect(found.totalResults.int == 1)
        #expect(found.results[0].id.text == "citizen-kane-1941")
        #expect(found.results[0].poster.url.text?.hasPrefix("/poster/") == true)
        #expect(machine.output.split(separator: "\n").count == 1)

        let nothing = try await Program.run(["search", "zzzzqqqq"])
        #expect(nothing.status == 0 && nothing.output == "No films found.\n")
    }

    @Test func aPageBehindTheLastOneSaysSo() {
        let lines = Search.lines(Page(number: 9, results: [], totalPages: 2, totalResults: 30), nil)
        #expect(lines == ["Page 9 has no films; the last is 2."])
    }

    @Test func theBoxOfficeIsOfADayOrOfAPartOfAWeek() async throws {
        let day = try await Program.run(["boxoffice", "--date", "2024-05-05"])
        #expect(day.status == 0, "\(day.errors)")
        let lines = day.output.split(separator: "\n").map(String.init)
        #expect(lines.first == "OneSheet (simulated), 2024-05-05")
        #expect(lines.count == 12)
        let weekend = try await Program.run(["boxoffice", "--date", "2024-05-05", "--span", "weekend", "--json"])
        let answer = try JSON(Array(weekend.output.utf8))
        #expect(answer.from.text == "2024-05-03" && answer.to.text == "2024-05-05")
        #expect(answer.results.list.count == 10)
    }

    @Test func aFilmIsPrintedWithItsFactsAndItsCast() async throws {
        let film = try await Program.run(["movie", "the-housemaid-1960", "--language", "en"])
        #expect(film.status == 0, "\(film.errors)")
        for text in ["The Housemaid (1960)", "하녀", "Kim Ki-young", "Cast", "the-housemaid-1960"] {
            #expect(film.output.contains(text), "\(text)")
        }
        let machine = try await Program.run(["movie", "the-housemaid-1960", "--json"])
        #expect(try JSON(Array(machine.output.utf8)).sections[0].type.text == "top")
    }

    @Test(
        "commands are in the language of the locale",
        arguments: [
            ([:], "en"), (["LC_ALL": "ko_KR.UTF-8"], "ko"), (["LANG": "ja_JP"], "ja"),
            (["LC_MESSAGES": "ko", "LANG": "ja_JP"], "ko"), (["LC_ALL": "C", "LANG": "ko_KR.UTF-8"], "en"),
            (["LC_ALL": "", "LANG": "ko_KR@x"], "ko"), (["LANG": "POSIX"], "en"),
            (["LANG": "ja_JP.UTF-8", "ONESHEET_LANGUAGE": "ko"], "ko"),
        ] as [([String: String], String)])
    func locale(environment: [String: String], language: String) throws {
        func code(_ options: [String: [String]]) throws -> String {
            let (settings, read) = try ConfigurationSource(commandLine: options, environment: environment).read()
            return SourceCommand.configuration(read, settings, environment: environment).sources.language.code
        }
        #expect(try code([:]) == language)
        #expect(try code(["language": ["en"]]) == "en")
    }

    @Test(
        "a film is shown in the language of the locale",
        arguments: [([], "시민 케인"), (["--language", "en"], "Citizen Kane")])
    func film(options: [String], title: String) async throws {
        let film = try await Program.run(
            ["movie", "citizen-kane-1941", "--json"] + options, environment: ["LC_ALL": "ko_KR.UTF-8"])
        #expect(film.status == 0, "\(film.errors)")
        #expect(try JSON(Array(film.output.utf8)).title.text == title)
    }

    @Test func theServerDoesNotFollowTheLocale() async throws {
        let folder = TemporaryFolder()
        let server = try await RunningServer(
            dataDirectory: folder.path + "/data", environment: ["LC_ALL": "ko_KR.UTF-8"])
        let film = try await server.get("/movies/citizen-kane-1941")
        #expect(
            try JSON(film.body).title.text == "Citizen Kane"
                && film.headers["vary"]?.contains("Accept-Language") == true)
        #expect(await server.stop() == 0)
    }

    @Test(
        "failures are printed with their remedy",
        arguments: [
            (["movie", "tmdb:603"], "--tmdb-key"), (["movie", "no-such-1900"], "has no film 'no-such-1900'"),
            (["movie", "nosferatu"], "has no film 'nosferatu'; 'onesheet search nosferatu' finds ids"),
            (["search", "a", "--year", "abc"], "from 1888 to 2999"),
            (["movie", "What Is This"], "is not a film id"), (["boxoffice", "--date", "1999-01-01"], "2003-11-11"),
            (["boxoffice", "--date", "2023-02-29"], "YYYY-MM-DD"), (["boxoffice", "--span", "month"], "weekend"),
            (["search", " "], "the query must have 1 to"), (["search", "a", "--page", "0"], "from 1 to 500"),
        ])
    func refusals(arguments: [String], words: String) async throws {
        let outcome = try await Program.run(arguments)
        #expect(outcome.status != 0)
        #expect(outcome.output == "")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func textIsBrokenAtSpacesAndWithinWhatIsTooLong() {
        #expect(WrappedText.lines("a bb ccc dddd", width: 6) == ["a bb", "ccc", "dddd"])
        #expect(WrappedText.lines("하녀는 영화", width: 6) == ["하녀는", "영화"])
        #expect(WrappedText.lines("abcdefgh", width: 3) == ["abc", "def", "gh"])
        #expect(WrappedText.lines("  ", width: 10) == [])
    }

    @Test func numbersAreGrouped() {
        #expect(
            [0, 999, 1000, 1_234_567, -12_345].map(NumberText.grouped) == [
                "0", "999", "1,000", "1,234,567", "-12,345",
            ])
        #expect([8.25, 7, 9.96, -0.5, -12.3].map(NumberText.oneDigit) == ["8.3", "7.0", "10.0", "-0.5", "-12.3"])
    }
}
