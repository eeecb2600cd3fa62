import PosterTesting
import ServiceTesting
import Testing

@testable import MovieCompatibility

/// Recorded errors of KOBIS, Kakao and Naver, and their requests.
@Suite(.enabled(if: Samples.all != nil, "\(Samples.note)"), .timeLimit(.hang))
struct RecordedFaultTests {
    struct Fault: Sendable, CustomTestStringConvertible {
        let api: CompatibleAPI
        /// The file's name without its extension.
        let name: String
        /// Relative to the API's base.
        let target: String
        var headers: [String: String] = [:]
        let status: Int

        var testDescription: String { "\(self.api.rawValue)/\(self.name)" }
    }

    private static let kakao = ["Authorization": "KakaoAK right"]
    private static let naver = ["X-Naver-Client-Id": "id", "X-Naver-Client-Secret": "secret"]
    private static let daily = "/boxoffice/searchDailyBoxOfficeList.json"
    private static let images = "/v2/search/image"
    private static let films = "/v1/search/movie.json"

    static let faults = [
        Fault(
            api: .kobis, name: "fault_320010_invalid_key", target: Self.daily + "?key=wrong&targetDt=20240501",
            status: 200),
        Fault(api: .kobis, name: "fault_320102_missing_date", target: Self.daily + "?key=right", status: 200),
        Fault(
            api: .kobis, name: "fault_320103_bad_date", target: Self.daily + "?key=right&targetDt=2025", status: 200),
        Fault(api: .kakao, name: "error_missing_query", target: Self.images, headers: Self.kakao, status: 400),
        Fault(
            api: .kakao, name: "error_page_max", target: Self.images + "?query=a&page=51", headers: Self.kakao,
            status: 400),
        Fault(
            api: .kakao, name: "error_platform_401", target: Self.images + "?query=a",
            headers: ["Authorization": "KakaoAK wrong"], status: 401),
        Fault(api: .naver, name: "error_auth_024", target: Self.films + "?query=a", status: 401),
        Fault(api: .naver, name: "error_se01_query", target: Self.films + "?query=", headers: Self.naver, status: 400),
        Fault(
            api: .naver, name: "error_se03_start", target: Self.films + "?query=a&start=1001", headers: Self.naver,
            status: 400),
        Fault(
            api: .naver, name: "error_se05_not_found", target: "/v1/search/none.json?query=a", headers: Self.naver,
            status: 404),
    ]

    @Test("errors are those that were recorded, without a request to the service", arguments: faults)
    func errors(_ fault: Fault) async throws {
        let keys = try ClientKeys("kobis right\nkakao right\nnaver id:secret")
        let sample = try OrderedJSON(parsing: try Samples.bytes("\(fault.testDescription).json"))
        let documents = ScriptedDocuments()
        let upstreams = CompatibleUpstreams(kobis: documents, iTunes: documents, kakao: documents)
        try await MovieServicesFixture().run(.compatible(keys: keys, documents: upstreams)) { server in
            let answer = try await server.get(
                RecordedResponse.base(of: fault.api) + fault.target, headers: fault.headers)
            #expect(answer.status == fault.status)
            #expect(try OrderedJSON(parsing: answer.body).sorted == sample.sorted)
        }
        #expect(documents.requests.isEmpty)
    }
}
