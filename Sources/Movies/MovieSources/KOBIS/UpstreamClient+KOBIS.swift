import MovieDomain
package import UpstreamClient

extension UpstreamClient {
    package static let kobisBaseURL = "https://www.kobis.or.kr/kobisopenapi/webservice/rest"

    /// KOBIS's quota of requests per day in Korea.
    package static let kobisDailyRequests = 3000

    /// The freshness lifetime of an empty box office: the latest day's figures are published in the morning.
    private static let emptyBoxOfficeLifetime: Duration = .seconds(300)

    /// A client of KOBIS, which sends errors with status 200.
    ///
    /// - Parameters:
    ///   - baseURL: The base URL without a trailing slash.
    ///   - dailyRequests: The key's quota.
    package static func kobis(
        key: String, baseURL: String = kobisBaseURL, dailyRequests: Int = kobisDailyRequests,
        in environment: Environment
    ) -> UpstreamClient {
        let budget = DailyBudget.korean(dailyRequests)
        var lifetimes = UpstreamLifetimes()
        // Requests set the lifetimes of figures.
        lifetimes.respectsCacheControl = false
        return UpstreamClient(
            source: .kobis, baseURL: baseURL, credentials: [.query(name: "key", value: key)], lifetimes: lifetimes,
            budget: budget, in: environment,
            classify: { answer in
                guard answer.status == 200 else { return .byStatus }
                if let failure = KOBISFault.failure(
                    in: answer.body, secondsLeft: budget.secondsLeft(at: environment.now()))
                {
                    return .failure(failure)
                }
                if KOBISBoxOfficeResponse.isEmpty(answer.body) { return .shortLived(Self.emptyBoxOfficeLifetime) }
                return KOBISFilm.isMissing(in: answer.body) ? .missing : .byStatus
            })
    }
}

/// An error of KOBIS, sent with status 200.
enum KOBISFault {
    /// The size limit of an error in bytes.
    private static let maxByteCount = 4096

    /// The failure in a response; `nil` if it contains none.
    /// - Parameter secondsLeft: The seconds until the end of the day in Korea, when an exhausted quota is renewed.
    static func failure(in body: [UInt8], secondsLeft: Int) -> SourceFailure? {
        guard body.count <= Self.maxByteCount, let object = try? TolerantJSON.object(body) else { return nil }
        // At the top level, or inside the result object.
        let wrapped = ["boxOfficeResult", "movieInfoResult", "movieListResult"].compactMap { object.object($0) }.first
        guard let fault = object.object("faultInfo") ?? wrapped?.object("faultInfo") else { return nil }
        guard let code = fault.text("errorCode") else { return .badAnswer(.kobis, reason: "a fault without a code") }
        switch code {
        case "320010": return .keyRefused(.kobis)
        // Missing parameters have other codes; the remaining 3200xx codes concern the key's quota and permissions.
        case _ where code.hasPrefix("3200"): return .busy(.kobis, retryAfterSeconds: secondsLeft)
        default:
            let digits = code.filter { ("0"..."9").contains($0) }.prefix(8)
            return .badAnswer(.kobis, reason: "fault \(digits)")
        }
    }
}
