import HTTPSemantics
import NIOCore
import PosterCodec
import PosterPipeline

/// A response that a client holds.
struct HeldBytes: Equatable {
    let tag: EntityTag
    let name: SimulatedPictures.Name
    let target: RenderTarget?

    /// `nil` if the response has no bytes.
    init?(_ response: PosterResponse, _ target: RenderTarget?) {
        guard let digest = response.provenance.original?.digest, let name = SimulatedPictures.name(of: digest) else {
            return nil
        }
        switch response {
        case .notModified: return nil
        case .variant(let poster, _): self.init(tag: poster.entityTag, name: name, target: target)
        case .original(_, let tag, _): self.init(tag: tag, name: name, target: target)
        }
    }

    init(tag: EntityTag, name: SimulatedPictures.Name, target: RenderTarget?) {
        self.tag = tag
        self.name = name
        self.target = target
    }
}

/// The responses that a request may get, from the state of the simulation when it began.
struct ResponseCheck {
    let poster: Int
    let target: RenderTarget?
    /// The responses that the client holds.
    let held: [HeldBytes]
    /// The earliest version that no purge has removed.
    let leastVersion: Int
    /// When the request began, in seconds.
    let start: Int64
    /// The origin must have confirmed the original since, in seconds.
    let validationFloor: Int64

    /// The broken rules.
    func faults(of response: PosterResponse, by origin: SimulatedOrigin) -> [String] {
        guard let state = response.provenance.original, let name = SimulatedPictures.name(of: state.digest) else {
            return ["a response without a known original"]
        }
        var faults: [String] = []
        if name.poster != self.poster { faults.append("the original of p\(name.poster)") }
        if name.version < self.leastVersion {
            faults.append("version \(name.version) after a purge of all before \(self.leastVersion)")
        }
        faults += self.faults(of: response, name)
        faults += self.faults(ofAge: response, origin.confirmation(of: name), origin.arrival(of: name))
        return faults.map { "\($0): p\(name.poster) version \(name.version)" }
    }

    private func faults(of response: PosterResponse, _ name: SimulatedPictures.Name) -> [String] {
        switch response {
        case .notModified(let tag, _):
            return self.held.contains { $0 == HeldBytes(tag: tag, name: name, target: self.target) }
                ? [] : ["not modified, but the client holds other bytes"]
        case .original(let original, _, _):
            return self.target == nil && SimulatedPictures.name(of: original.digest) == name
                ? [] : ["another original than its digest says"]
        case .variant(let poster, _):
            guard let target else { return ["a variant for an original"] }
            let bytes = Array(poster.bytes.readableBytesView)
            let width = min(target.width!, SimulatedPictures.width)
            guard poster.format == target.format, poster.size.width == width else {
                return ["a variant of \(poster.size) in \(poster.format) for \(target)"]
            }
            return bytes == SimulatedPictures.variant(name, target, poster.encoding) ? [] : ["other bytes"]
        }
    }

    private func faults(
        ofAge response: PosterResponse, _ confirmation: Int64?, _ arrival: Int64?
    ) -> [String] {
        guard let confirmation, let arrival else { return ["an original that the origin has not sent"] }
        if arrival < self.validationFloor { return ["an original that was to be validated"] }
        let policy = SimulatedNode.freshness
        let staleness = response.provenance.staleness
        // A flight that has asked the origin may have taken long to store the original.
        if staleness?.reason == .overloaded || response.provenance.reach == .origin { return [] }
        // Clocks are read in whole seconds.
        let most = policy.maximum + (staleness == nil ? 0 : policy.staleIfError) + 2
        return self.start - confirmation > most ? ["\(self.start - confirmation) seconds old, \(staleness as Any)"] : []
    }

    /// Whether a request that was not cancelled may fail with this error.
    func allows(_ error: any Error, by origin: SimulatedOrigin, _ settings: SimulatedNode.Settings) -> Bool {
        guard let error = error as? PosterError else { return false }
        switch error {
        case .unknownPoster: return origin.hasBeen(.missing, self.poster)
        case .originRefused: return origin.hasBeen(.refused, self.poster)
        case .originUnavailable: return origin.hasBeen(.unavailable, self.poster)
        case .originTooSlow: return true
        case .badOriginal, .unsupportedImage:
            return origin.hasBeen(.damaged, self.poster) || origin.hasBeen(.truncated, self.poster)
        case .overloaded: return settings.queueLimit < 1000
        case .storageFailed: return true
        case .cutOff: return settings.hasGate
        default: return false
        }
    }
}
