import HTTPSemantics
import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// Every recorded response of KOBIS, iTunes and Kakao: passed on, and generated from the domain.
@Suite(.enabled(if: Samples.all != nil, "\(Samples.note)"), .timeLimit(.hang))
struct RecordedResponseTests {
    private static let origin = "http://localhost/"

    @Test func everySampleIsInATable() throws {
        let samples = try #require(Samples.all)
        let known =
            (RecordedResponse.ofServices + RecordedResponse.ofNaver).map(\.testDescription)
            + RecordedFaultTests.faults.map(\.testDescription)
        for api in [CompatibleAPI.kobis, .itunes, .kakao, .naver] {
            let names = try samples.names(of: api.rawValue).map { "\(api.rawValue)/\($0.replacing(".json", with: ""))" }
            #expect(Set(names) == Set(known.filter { $0.hasPrefix("\(api.rawValue)/") }))
        }
    }

    @Test(
        "with a key, responses are the service's but for pictures, and are requested once",
        arguments: RecordedResponse.ofServices)
    func passedOn(_ recorded: RecordedResponse) async throws {
        let (bytes, sample) = (try recorded.bytes, try recorded.json)
        try await withUpstream { upstream in
            upstream.on("GET", recorded.path, .json(bytes))
            try await SampleFixture(upstream).runPassingOn { server in
                for _ in 1...2 {
                    let answer = try await server.get(recorded.localTarget)
                    #expect(answer.status == 200)
                    let found = try OrderedJSON(parsing: answer.body)
                    #expect(found.withoutPictures.bytes == sample.withoutPictures.bytes)
                    let pictures = found.pictures
                    #expect(pictures.count == sample.pictures.count)
                    #expect(pictures.allSatisfy { $0.hasPrefix(Self.origin) })
                }
            }
            #expect(upstream.requestCount(to: recorded.path) == 1)
        }
    }

    @Test func kakaosPicturesAreThoseOfTheURLsInItsResponse() async throws {
        let recorded = try #require(RecordedResponse.ofServices.first { $0.name == "image_search_page1" })
        let (bytes, sample) = (try recorded.bytes, try recorded.json)
        try await withUpstream { upstream in
            upstream.on("GET", recorded.path, .json(bytes))
            try await SampleFixture(upstream).runPassingOn { server in
                let found = try OrderedJSON(parsing: try await server.get(recorded.localTarget).body)
                let images = zip(
                    found.values(at: "documents/*/image_url"), sample.values(at: "documents/*/image_url"))
                for (own, theirs) in images {
                    let remote = try RemoteURL(try #require(theirs?.string)).text
                    let start = "http://localhost/proxy?url=\(PercentEncoding.encode(remote.utf8))&"
                    #expect(own?.string?.hasPrefix(start) == true, "\(remote)")
                }
            }
        }
    }

    @Test(
        "what the apps read has equal values after the way through the domain",
        arguments: RecordedResponse.ofServices.filter { ![.filmList, .pictures].contains($0.kind) })
    func written(_ recorded: RecordedResponse) async throws {
        let (bytes, sample) = (try recorded.bytes, try recorded.json.withoutOtherKinds(than: recorded.kind))
        let numbers = sample.values(at: "results/*/trackId").compactMap { $0?.integer }
        let paths = AppField.all(of: recorded.kind).filter { $0.difference == nil }.map(\.path)
        try await withUpstream { upstream in
            for path in [recorded.path, "/lookup"] { upstream.on("GET", path, .json(bytes)) }
            let fixture = try SampleFixture(upstream)
            let check = { @Sendable (found: OrderedJSON) in
                #expect(found.differences(from: sample, at: paths) == [])
                #expect(found.languages == sample.languages)
                #expect(found.values(at: "results/*/screenshotUrls/*").count == sample.screenshotCount)
                #expect(found.pictures.allSatisfy { $0.hasPrefix(Self.origin) })
            }
            switch recorded.kind {
            case .film: check(try await fixture.film(String(recorded.target.suffix(8))))
            case .storeFilms: check(try await fixture.storeFilms(numbers))
            case .apps where recorded.path == "/lookup": check(try await fixture.apps(numbers))
            default:
                try await fixture.runWriting { server in
                    let answer = try await server.get(recorded.localTarget)
                    #expect(answer.status == 200)
                    check(try OrderedJSON(parsing: answer.body))
                }
            }
        }
    }

    @Test func differencesAreFound() {
        let recorded: OrderedJSON = ["rows": [["a": " x ", "b": 1], ["a": "y", "b": .number(1.5)]]]
        let same: OrderedJSON = ["rows": [["a": "x", "b": .number(1)], ["a": "y", "b": .number(1.5), "d": 1]]]
        let paths = ["rows/*/a", "rows/*/b", "rows/*/d"]
        #expect(same.differences(from: recorded, at: paths) == [])
        let other: OrderedJSON = ["rows": [["a": "x", "b": 2], ["b": .number(1.5)]]]
        #expect(other.differences(from: recorded, at: paths) == ["rows/*/a", "rows/*/b"])
        #expect((["rows": []] as OrderedJSON).differences(from: recorded, at: paths) == paths)
    }
}

extension OrderedJSON {
    /// Whether a member contains picture URLs of this server. For an app with several kinds of devices, these include
    /// the first one's screenshots.
    private static func isPicture(_ name: String) -> Bool {
        name.hasPrefix("artworkUrl") || ["screenshotUrls", "image_url", "thumbnail_url"].contains(name)
    }

    /// The JSON with all picture URLs replaced by empty texts.
    fileprivate var withoutPictures: OrderedJSON {
        switch self {
        case .array(let elements): .array(elements.map(\.withoutPictures))
        case .object:
            self.mapMembers { member in
                guard Self.isPicture(member.name) else { return member.value.withoutPictures }
                guard case .array(let urls) = member.value else { return "" }
                return .array(urls.map { _ in "" })
            }
        default: self
        }
    }

    /// All picture URLs, except in rows of iTunes without a `trackId`, which are neither apps nor films.
    fileprivate var pictures: [String] {
        switch self {
        case .array(let elements): elements.flatMap(\.pictures)
        case .object where self["wrapperType"] != nil && self["trackId"] == nil: []
        case .object(let members):
            members.flatMap { member -> [String] in
                guard Self.isPicture(member.name) else { return member.value.pictures }
                return (member.value.elements + [member.value]).compactMap(\.string)
            }
        default: []
        }
    }

    /// The languages of each app without duplicates.
    fileprivate var languages: [[OrderedJSON]] {
        self.values(at: "results/*/languageCodesISO2A").map { list in
            var once: [OrderedJSON] = []
            for code in list?.elements ?? [] where !once.contains(code) { once.append(code) }
            return once
        }
    }

    fileprivate var screenshotCount: Int { self.values(at: "results/*/screenshotUrls/*").count }

    /// Removes rows of iTunes that are not films if the response is about films.
    fileprivate func withoutOtherKinds(than kind: RecordedResponse.Kind) -> OrderedJSON {
        guard kind == .storeFilms else { return self }
        return self.replacing("results") { rows in
            .array(rows.elements.filter { $0["kind"]?.string == "feature-movie" })
        }
    }
}
