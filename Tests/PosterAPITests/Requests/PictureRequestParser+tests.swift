import PosterCodec
import PosterPipeline
import Testing

@testable import HTTPSemantics
@testable import PosterAPI

extension PictureRequestParser {
    /// A parser with the default policy.
    init() {
        self.init(policy: PicturePolicy(), languages: PosterLanguages(), generation: 0)
    }

    /// A parser with the default policy, modified by `change`.
    init(_ change: (inout PicturePolicy) throws -> Void) rethrows {
        var policy = PicturePolicy()
        try change(&policy)
        self.init(policy: policy, languages: PosterLanguages(), generation: 0)
    }

    func parse(
        _ target: String, accept: String? = nil, hints: ClientHints = ClientHints(), now: Int64 = 0
    ) throws(Problem) -> PictureRequest? {
        try self.parse(RequestTarget(target), headers: PictureRequestHeaders(accept: accept, hints: hints), now: now)
    }

    /// - Returns: The problem; `nil` if the target is accepted.
    func problem(_ target: String, now: Int64 = 0) -> Problem? {
        do throws(Problem) {
            _ = try self.parse(target, now: now)
            return nil
        } catch {
            return error
        }
    }
}

extension PictureRequest {
    /// The render target; `nil` for an original.
    var wanted: RenderTarget? {
        switch self.request.rendition {
        case .original: nil
        case .variant(let target): target
        }
    }
}

extension ClientHints {
    init(ratio: String? = nil, width: String? = nil, saves: Bool = false) {
        self.init(ratio: ratio, width: width, saveData: saves ? "on" : nil)
    }
}
