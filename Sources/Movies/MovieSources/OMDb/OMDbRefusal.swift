import MovieDomain
import UpstreamClient

/// What OMDb says when it has no film to tell of.
enum OMDbRefusal: Hashable {
    /// It knows none of that id.
    case unknown
    case failed(SourceFailure)

    /// The largest answer that may be one, in bytes.
    private static let maxByteCount = 4096

    /// What an answer refuses; nil for one with a film.
    ///
    /// - Parameter secondsLeft: Of the day by which OMDb counts.
    init?(status: Int, body: [UInt8], secondsLeft: Int) {
        let answer = body.count <= Self.maxByteCount ? try? TolerantJSON.object(body) : nil
        let message = answer?.text("Error")?.lowercased() ?? ""
        if status == 401 || status == 403 {
            // The quota of a day gives 401 as a wrong key does.
            self =
                message.contains("limit")
                ? .failed(.busy(.omdb, retryAfterSeconds: secondsLeft)) : .failed(.keyRefused(.omdb))
            return
        }
        guard status == 200, answer?.flag("Response") == false else { return nil }
        if message.contains("limit") {
            self = .failed(.busy(.omdb, retryAfterSeconds: secondsLeft))
        } else if message.contains("api key") {
            self = .failed(.keyRefused(.omdb))
        } else if message.contains("not found") || message.contains("incorrect imdb")
            || message.contains("conversion from")
        {
            self = .unknown
        } else {
            self = .failed(.badAnswer(.omdb, reason: "it refuses for a reason that is not known"))
        }
    }
}
