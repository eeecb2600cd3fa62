import Flights
import HTTPFetch
import MovieDomain
import PosterCodec
import PosterOrigins
import PosterPipeline
import Synchronization

/// Reads the size of remote pictures from their first bytes, and ends the transfer as soon as it is known.
struct RemotePictureInspector: PictureInspector {
    /// The maximum number of bytes read: cameras store a preview before the size.
    static let byteLimit = 128 << 10

    let fetcher: Fetcher
    let limits: CodecLimits
    /// The template of TMDB image URLs; `nil` without it.
    let tmdbImages: OriginTemplate?

    func inspect(_ location: PictureLocation) async throws -> PictureInspection {
        let request: FetchRequest
        switch location {
        case .web(let url): request = FetchRequest(url: url, isPublicOnly: true)
        case .tmdb(let file):
            guard let url = try? self.tmdbImages?.url(for: file) else {
                return .unusable(reason: "it is at TMDB, and TMDB images are off")
            }
            request = FetchRequest(url: url)
        case .packaged: return .unusable(reason: "it is a packaged picture")
        }
        let sink = HeaderSink(limits: self.limits)
        do {
            let response = try await self.fetcher.fetch(request, into: sink)
            if let inspection = sink.inspection { return inspection }
            return Self.inspection(ofStatus: response.status)
        } catch FetchError.sinkFailed {
            return sink.inspection ?? .unusable(reason: "it is not a picture")
        } catch let error as FetchError {
            return Self.inspection(of: error)
        }
    }

    private static func inspection(ofStatus status: Int) -> PictureInspection {
        switch status {
        case 200: .unusable(reason: "it is not a complete picture")
        case 429, 500...599: .unreachable(reason: "its origin answered with status \(status)")
        default: .unusable(reason: "its origin answered with status \(status)")
        }
    }

    private static func inspection(of error: FetchError) -> PictureInspection {
        switch error {
        case .invalidURL, .forbiddenScheme, .invalidHeader: .unusable(reason: "its URL is not usable")
        case .addressRefused: .unusable(reason: "it is not at a public address")
        case .tooLarge: .unusable(reason: "it is too large")
        case .badCoding(let words): .unusable(reason: words)
        default: .unreachable(reason: PosterError(error).description)
        }
    }
}

/// Reads a picture's header from its first bytes, then ends the transfer.
private final class HeaderSink: FetchSink {
    private struct State {
        var probe: IncrementalProbe
        var inspection: PictureInspection?
    }

    private let probe: IncrementalProbe
    private let state: Mutex<State>

    init(limits: CodecLimits) {
        self.probe = IncrementalProbe(limits: limits, byteLimit: RemotePictureInspector.byteLimit)
        self.state = Mutex(State(probe: self.probe))
    }

    var inspection: PictureInspection? { self.state.withLock { $0.inspection } }

    func begin(_ head: FetchResponseHead) -> Bool {
        self.state.withLock { $0 = State(probe: self.probe) }
        return true
    }

    func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
        self.state.withLock { state in
            do {
                switch try state.probe.receive(bytes) {
                case .incomplete: return true
                case .header(let header):
                    let (width, height) = header.uprightSize
                    let size = PictureSize(width: width, height: height)
                    state.inspection = size.map { .size($0) } ?? .unusable(reason: "it is empty")
                case .beyondByteLimit:
                    state.inspection = .unusable(reason: "its first bytes do not contain its size")
                }
            } catch {
                state.inspection = .unusable(reason: "it is \(error)")
            }
            return false
        }
    }
}
