import Synchronization

/// Encodes pictures with content in another process' memory.
package protocol PictureEncoder: Sendable {
    /// - Returns: The file, with the time of encoding alone.
    /// - Throws: As ``PendingPicture/encode(limits:control:)``, and ``CodecError/decoderEnded(reason:)``.
    func encode(
        _ picture: PendingPicture, limits: CodecLimits, control: JobControl
    ) throws(CodecError) -> RenderedFile
}

/// A result of a job before its encoding. Any thread may encode it, once.
public final class PendingPicture: Sendable {
    /// The input of the encoding.
    enum Content: ~Copyable, Sendable {
        /// A finished JPEG, which was encoded while its rows were decoded.
        case file(EncodedBytes)
        /// The planes of a WebP, an AVIF, or a JPEG by likeness.
        case planes([Plane])
        /// The pixels of a PNG or a JPEG XL, or of a file with a measured likeness.
        case pixels(PixelBuffer)
    }

    /// The index of the target in its job.
    public let index: Int
    /// The target's plan.
    public let plan: RenderPlan
    /// The decode that its bytes come from.
    public let recipe: DecodeRecipe
    /// The time of decoding, which all targets of the job share, and of this target's resampling.
    let timings: StageTimings
    private let content: Mutex<Content?>
    /// Encodes the picture in the process that has its content; `nil` if that is this one.
    private let elsewhere: (any PictureEncoder)?

    init(_ content: consuming sending Content, of target: TargetEncoder, timings: StageTimings) {
        self.index = target.index
        self.plan = target.plan
        self.recipe = target.plan.recipe
        self.timings = timings
        self.content = Mutex(content)
        self.elsewhere = nil
    }

    init(
        _ content: consuming sending Content?, index: Int, plan: RenderPlan, timings: StageTimings,
        elsewhere: (any PictureEncoder)? = nil
    ) {
        self.index = index
        self.plan = plan
        self.recipe = plan.recipe
        self.timings = timings
        self.content = Mutex(content)
        self.elsewhere = elsewhere
    }

    /// Removes the content, once.
    func takeContent() throws(CodecError) -> Content {
        guard let content = self.content.withLock({ $0.take() }) else {
            throw .internalError(reason: "a picture that was encoded before")
        }
        return content
    }

    /// The memory of encoding in addition to the picture itself, in bytes, which an additional thread needs.
    public var encodingBytes: Int { self.plan.encodingBytes }

    /// Encodes the picture; stops midway if the job is stopped.
    ///
    /// - Parameter limits: The CPU time limit applies to this encoding alone, and to each one that is measured.
    /// - Throws: ``CodecError/stopped``, ``CodecError/overLimit(_:value:limit:)`` (too much CPU time),
    ///   ``CodecError/unencodable(reason:)`` or ``CodecError/outOfMemory``.
    public func encode(limits: CodecLimits = .init(), control: JobControl) throws(CodecError) -> RenderedFile {
        if let elsewhere {
            let file = try elsewhere.encode(self, limits: limits, control: control)
            let timings = self.timings + file.timings
            return RenderedFile(bytes: file.takeBytes(), timings: timings)
        }
        let control = control.render
        let watch = RenderWatch(control, limits: self.plan.encodingLimits(limits))
        return try self.encode(watch: watch, control: control)
    }

    func result(limits: CodecLimits, control: JobControl) -> Result<RenderedFile, CodecError> {
        do throws(CodecError) {
            return .success(try self.encode(limits: limits, control: control))
        } catch {
            return .failure(error)
        }
    }

    func encode(watch: RenderWatch, control: RenderControl) throws(CodecError) -> RenderedFile {
        let content = try self.takeContent()
        var timings = self.timings
        switch consume content {
        case .file(let bytes): return RenderedFile(bytes: bytes, timings: timings)
        case .planes(let planes):
            let start = control.now()
            try watch.check()
            let bytes = try self.plan.encode(planes, watch: watch)
            timings.encode += control.now() - start
            return RenderedFile(bytes: bytes, timings: timings)
        case .pixels(let pixels):
            let start = control.now()
            try watch.check()
            let bytes = try self.plan.encode(pixels, watch: watch)
            timings.encode += control.now() - start
            return RenderedFile(bytes: bytes, timings: timings)
        }
    }
}
