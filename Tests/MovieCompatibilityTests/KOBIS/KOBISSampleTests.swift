import Foundation
import HTTPTesting
import MovieDomain
import MovieSources
import PosterTesting
import ServiceTesting
import Testing
import UpstreamClient

@testable import MovieCompatibility

/// Recorded responses of KOBIS, requested in its format.
@Suite(.enabled(if: Samples.all != nil, "\(Samples.note)"), .timeLimit(.hang))
struct KOBISSampleTests {
    /// A recorded response and its request.
    struct Recorded: Sendable, CustomTestStringConvertible {
        let file: String
        /// Relative to the API's base.
        let target: String

        var testDescription: String { self.file }
        var path: String { String(self.target.prefix { $0 != "?" }) }
    }

    private static let daily = "/boxoffice/searchDailyBoxOfficeList.json?key=k&targetDt="
    private static let weekly = "/boxoffice/searchWeeklyBoxOfficeList.json?key=k&targetDt="
    private static let film = "/movie/searchMovieInfo.json?key=k&movieCd="

    static let recorded = [
        Recorded(file: "daily_20120101", target: Self.daily + "20120101"),
        Recorded(file: "daily_20220105", target: Self.daily + "20220105"),
        Recorded(file: "daily_20220315", target: Self.daily + "20220315"),
        Recorded(file: "daily_20221221", target: Self.daily + "20221221"),
        Recorded(file: "weekend_20120101", target: Self.weekly + "20120101"),
        Recorded(file: "weekly_20150104_first4", target: Self.weekly + "20150104&weekGb=0"),
        Recorded(file: "movie_info_20124079", target: Self.film + "20124079"),
        Recorded(file: "movie_info_20199882", target: Self.film + "20199882"),
        Recorded(file: "movie_info_20218541", target: Self.film + "20218541"),
        Recorded(file: "movie_list_page1", target: "/movie/searchMovieList.json?key=k"),
    ]

    @Test("with a key of this server, responses are KOBIS' own", arguments: recorded)
    func areKOBISOwn(_ recorded: Recorded) async throws {
        let documents = ScriptedDocuments()
        documents.set(try Samples.bytes("kobis/\(recorded.file).json"), for: recorded.path)
        let settings = LiveServer.Settings.compatible(documents: CompatibleUpstreams(kobis: documents))
        try await MovieServicesFixture().run(settings) { server in
            let answer = try await server.get("/compat/kobis/kobisopenapi/webservice/rest" + recorded.target)
            #expect(answer.status == 200)
            #expect(JSON.object(answer.body) == (try Samples.json("kobis/\(recorded.file).json")))
        }
    }

    @Test("faults are those of recorded ones")
    func faults() throws {
        let faults = [
            ("fault_320010_invalid_key", KOBISFault.key), ("fault_320102_missing_date", .missing("날짜는", "targetDt")),
            ("fault_320103_bad_date", .date("2025")),
        ]
        for (file, fault) in faults {
            #expect(JSON.object(fault.document.bytes) == (try Samples.json("kobis/\(file).json")), "\(file)")
        }
    }

    /// The members of a row that the apps read.
    private static let names = [
        "rank", "rankInten", "rankOldAndNew", "movieCd", "openDt", "salesAmt", "salesAcc", "audiCnt", "audiInten",
        "audiAcc", "scrnCnt", "showCnt",
    ]
    private static let percentages = ["salesShare", "salesChange", "audiChange"]

    @Test(
        "a box office has equal figures after the way through the domain",
        arguments: recorded.filter { $0.target.contains("boxoffice") })
    func surviveTheDomain(_ recorded: Recorded) async throws {
        let bytes = try Samples.bytes("kobis/\(recorded.file).json")
        let parameters = recorded.target.drop { $0 != "?" }.dropFirst().split(separator: "&").map { pair in
            pair.split(separator: "=").map { String($0) }
        }
        let request = try KOBISBoxOfficeRequest(
            CompatibleRequest(parameters: Dictionary(uniqueKeysWithValues: parameters.map { ($0[0], $0[1]) })),
            isDaily: recorded.target.contains("Daily"))
        let own = try await withUpstream { upstream in
            upstream.on("GET", recorded.path, .json(String(decoding: bytes, as: UTF8.self)))
            let source = KOBISBoxOffice(try Self.client(upstream))
            return try await source.boxOffice(of: request.period, language: LanguagePreference([.korean]))
        }
        let document = KOBISBoxOfficeDocument(request).document(own.entries) { $0.key }
        let lists = ["dailyBoxOfficeList", "weeklyBoxOfficeList"]
        func rows(_ object: NSDictionary) -> [[String: String]] {
            let result = object["boxOfficeResult"] as? [String: Any] ?? [:]
            return lists.compactMap { result[$0] as? [[String: String]] }.first ?? []
        }
        let (found, expected) = (rows(JSON.object(document.bytes)), rows(JSON.object(bytes)))
        #expect(found.count == expected.count && !found.isEmpty)
        for (row, sample) in zip(found, expected) {
            for name in Self.names {
                #expect(row[name] == sample[name]?.trimmingCharacters(in: .whitespaces), "\(name)")
            }
            for name in Self.percentages {
                #expect(row[name].flatMap { Double($0) } == sample[name].flatMap { Double($0) }, "\(name)")
            }
            #expect(row["movieNm"] == sample["movieNm"]?.trimmingCharacters(in: .whitespaces))
        }
        let (ours, theirs) = (JSON.object(document.bytes), JSON.object(bytes))
        for name in ["boxofficeType", "showRange", "yearWeekTime"] {
            let found = (ours["boxOfficeResult"] as? [String: Any])?[name] as? String
            #expect(found == (theirs["boxOfficeResult"] as? [String: Any])?[name] as? String)
        }
    }

    private static func client(_ upstream: ReplayingUpstream) throws -> UpstreamClient {
        let environment = try UpstreamClient.Environment.replaying { Instant(secondsSince1970: 1_673_751_600) }
        return .kobis(key: "key-of-kobis", baseURL: upstream.baseURL, in: environment)
    }
}
