// Made from the OpenAPI document; a test keeps it true.

export interface paths {
    "/api/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists API keys, newest first; expired and revoked ones too
         * @description Scope: `operator`.
         */
        get: operations["listApiKeys"];
        put?: never;
        /**
         * Creates an API key, and shows its text this once
         * @description Scope: `operator`.
         */
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows an API key, without its text
         * @description Scope: `operator`.
         */
        get: operations["getApiKey"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/api-keys/{id}:revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revokes an API key, for good
         * @description It opens nothing any more: at this host at once, at others within five seconds. Revoking it again changes nothing. No key revokes itself, so that one of an operator is always left.
         *
         *     Scope: `operator`.
         */
        post: operations["revokeApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/audit-log": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists who changed what, newest first
         * @description Changes of definitions, tenants, API keys, releases, credentials and what plugins keep, each in the transaction that made it, and the controls that runs were sent, with request_id, reason and outcome in `details`. The outcome is null until a tick has applied the control; it is kept as long as its run. Triggers and signals are not changes.
         *
         *     Scope: `operator`.
         */
        get: operations["listAuditLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/caller-releases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the releases that were declared, newest first
         * @description Scope: `operator`.
         */
        get: operations["listReleases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/caller-releases/live": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows the live release
         * @description Scope: `operator`.
         */
        get: operations["getLiveRelease"];
        /**
         * Declares the live release
         * @description Where the tenant’s release_policy is required, every host refuses triggers of other releases from the next one on. What is live already stays as it is.
         *
         *     Scope: `operator`.
         */
        put: operations["declareRelease"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credentials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List credentials, without their values
         * @description Scope: `credential:read`.
         */
        get: operations["getCredentials"];
        put?: never;
        /**
         * Keep a credential under a name that steps can use
         * @description Values are write-only: no answer, error or log shows them. Steps that wait for the name go on.
         *
         *     Scope: `credential:write`.
         */
        post: operations["postCredentials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credentials:reseal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Encrypt all credentials of all tenants with the current master key
         * @description The last step of a rotation: after it the keys in DUCTOR_MASTER_KEY_PREVIOUS can go.
         *
         *     Scope: `operator`.
         */
        post: operations["postCredentialsReseal"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/credentials/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a credential, without its values
         * @description Scope: `credential:read`.
         */
        get: operations["getCredentialsId"];
        put?: never;
        post?: never;
        /**
         * Delete a credential
         * @description Refused while published workflows name it, unless `force=true`: their steps then wait for another.
         *
         *     Scope: `credential:write`.
         */
        delete: operations["deleteCredentialsId"];
        options?: never;
        head?: never;
        /**
         * Replace the values or the settings of a credential
         * @description Attempts that begin from now on use them; hosts that share the database follow within 2 seconds.
         *
         *     Scope: `credential:write`.
         */
        patch: operations["patchCredentialsId"];
        trace?: never;
    };
    "/api/credentials/{id}:test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Prove a credential by the action that its connector names for that
         * @description Scope: `credential:write`.
         */
        post: operations["postCredentialsIdTest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/event-sets/digests": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the windows of digests that are not flushed
         * @description One whose leader was cancelled, terminated or failed is flushed when that is redriven.
         *
         *     Scope: `workflow:read`.
         */
        get: operations["listDigests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists operations, newest first
         * @description Scope: `workflow:read`.
         */
        get: operations["listOperations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows an operation and how far it is
         * @description Scope: `workflow:read`.
         */
        get: operations["getOperation"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/operations/{id}:cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends an operation after the page under way
         * @description What it has done stays done. Cancelling it again changes nothing; one that is done or failed is a 409.
         *
         *     Scope: `workflow_run:write`.
         */
        post: operations["cancelOperation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/payloads/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a value that is too large to stand where it belongs
         * @description There `{"$payload": {"id", "bytes"}}` stands for it.
         *
         *     Scope: `workflow:read`.
         */
        get: operations["getPayload"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/repair-items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what somebody has to see to: undos that failed, and outcomes that nobody knows
         * @description Scope: `workflow:read`.
         */
        get: operations["listRepairItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tenants": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists tenants, newest first
         * @description Scope: `operator`.
         */
        get: operations["listTenants"];
        put?: never;
        /**
         * Creates a tenant
         * @description Scope: `operator`.
         */
        post: operations["createTenant"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/tenants/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Shows a tenant
         * @description Scope: `operator`.
         */
        get: operations["getTenant"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Changes what holds for a tenant
         * @description Limits that are not named stay as they are. The host that answers goes by them at once, others within five seconds. What was published or started before stays.
         *
         *     Scope: `operator`.
         */
        patch: operations["updateTenant"];
        trace?: never;
    };
    "/api/v2/workflow-definitions/{definition_id}:trigger": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a run
         * @description `definition_id` is a version’s id, which is then the one that runs, or a draft’s id or a slug: the latest version.
         *     The same `idempotency_key` with the same request answers the same run.
         *
         *     Scope: `workflow:write`.
         */
        post: operations["triggerWorkflow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-definitions/{definition_id}:triggerBatch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts up to 1,000 runs of one definition
         * @description An item is what a single trigger takes, without its checkpoint fields. Each is answered in its place, by its run or by its error, whose paths begin at the item; one that is refused does not hold up the others. Items with the same idempotency key give one run, the first of them deciding what the key stands for.
         *
         *     Scope: `workflow:write`.
         */
        post: operations["triggerWorkflowBatch"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-events:publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish an event to whoever waits for it
         * @description Steps that wait for an event of this name and `correlation_key` take it, and triggers of this name start runs. It is kept before anybody is told: what cannot be told at once is told within seconds. One name has an `event_id` once; the same again does nothing.
         *
         *     Scope: `workflow_events:publish`.
         */
        post: operations["publishEvent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs:batch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sends a control to every run that matches a filter, as an operation
         * @description The filter has the words of the list of runs, and at least one. Of the runs that match, those are sent the control that it does something to, as they are when the operation comes to them, newest first; runs that are created later are left alone. A dry run answers how many they are now, and some of them.
         *
         *     Scope: `workflow_run:write`.
         */
        post: operations["controlRuns"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}:cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stops what is in flight, within the definition’s cancel_grace, and ends the run as cancelled.
         * @description Scope: `workflow_run:write`.
         */
        post: operations["cancelRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}:pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Starts nothing new; what is in flight ends, and signals are kept until the run is resumed.
         * @description Scope: `workflow_run:write`.
         */
        post: operations["pauseRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}:redrive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reopens a failed, cancelled or terminated run: what failed or was cancelled, and all after it, runs again.
         * @description Scope: `workflow_run:write`.
         */
        post: operations["redriveRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}:resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Goes on with a paused run.
         * @description Scope: `workflow_run:write`.
         */
        post: operations["resumeRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}:terminate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Ends the run at once: nobody waits for what is in flight.
         * @description Scope: `workflow_run:write`.
         */
        post: operations["terminateRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the attempts of a run, oldest first
         * @description Scope: `workflow:read`.
         */
        get: operations["listRunAttempts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}/attempts/{attempt_id}:resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say what came of an attempt whose outcome nobody knows
         * @description Only where the run asks for it, by the reason `outcome_unknown`.
         *
         *     Scope: `workflow_run:write`.
         */
        post: operations["resolveAttempt"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}/compensations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what of a run has to be undone, in the order in which it was done
         * @description Scope: `workflow:read`.
         */
        get: operations["listCompensations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}/compensations/{id}:resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that nothing is left to undo of an execution
         * @description Scope: `workflow_run:write`.
         */
        post: operations["resolveCompensation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}/compensations/{id}:retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo one execution now
         * @description By a compensation run of its own. One whose outcome nobody knows is undone with `output` null.
         *
         *     Scope: `workflow_run:write`.
         */
        post: operations["retryCompensation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}/nodes/{step_ref}/branches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the branches of a step, in the order of its items
         * @description Scope: `workflow:read`.
         */
        get: operations["listBranches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}/snapshot": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run with all its nodes, as it stands or stood
         * @description Scope: `workflow:read`.
         */
        get: operations["getRunSnapshot"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}/steps/{step_ref}:approve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Approve for an APPROVAL step
         * @description Approvals of different approvers count. A `payload` has to fit the step’s `form`, if it has one. It is kept until the step waits, if it comes early; once the step is over it does nothing, and is accepted.
         *
         *     Scope: `workflow_run:write`.
         */
        post: operations["approveStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}/steps/{step_ref}:reject": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Reject for an APPROVAL step
         * @description The first one decides. It is kept until the step waits, if it comes early; once the step is over it does nothing, and is accepted.
         *
         *     Scope: `workflow_run:write`.
         */
        post: operations["rejectStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}/steps/{step_ref}:resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * End a WAIT on a signal, or as an operator any parked step
         * @description `payload` becomes the step’s output. It is kept until the step waits, if it comes early; once the step is over it does nothing, and is accepted.
         *
         *     Scope: `workflow_run:write`.
         */
        post: operations["resolveStep"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v2/workflow-runs/{run_id}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See what a run waits for, and when it will be looked at next
         * @description Scope: `workflow:read`.
         */
        get: operations["explainRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks, newest first
         * @description Scope: `workflow:read`.
         */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Make an address for another system’s HTTP callbacks
         * @description Each delivery to its `path` publishes an event or triggers a workflow, once however often it is sent. Templates are checked here: what is wrong is named by path, line and column.
         *
         *     Scope: `webhook:write`.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a webhook and what went wrong with its last deliveries
         * @description Scope: `workflow:read`.
         */
        get: operations["getWebhook"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook; its address answers 404 from now on
         * @description Scope: `webhook:write`.
         */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change a webhook; its address stays
         * @description Fields that are given replace those that are there as a whole.
         *
         *     Scope: `webhook:write`.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/workflow-definitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List drafts and versions, newest first
         * @description Scope: `workflow_definition:read`.
         */
        get: operations["listWorkflowDefinitions"];
        put?: never;
        /**
         * Create a workflow as a draft
         * @description A family_slug that is known already is refused, unless its draft has been deleted.
         *
         *     Scope: `workflow_definition:write`.
         */
        post: operations["createWorkflowDefinition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-definitions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a draft or version
         * @description By its id; a family’s slug names its draft, or its latest version where there is none.
         *
         *     Scope: `workflow_definition:read`.
         */
        get: operations["getWorkflowDefinition"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-definitions/{id}/archive": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Archive a version, or all of a workflow
         * @description A version’s id archives that one, a family’s slug or its draft’s id all of them. No new runs; those under way go on.
         *
         *     Scope: `workflow_definition:write`.
         */
        post: operations["archiveWorkflowDefinition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-definitions/{id}/draft": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Delete a draft
         * @description Its versions stay.
         *
         *     Scope: `workflow_definition:write`.
         */
        delete: operations["deleteWorkflowDraft"];
        options?: never;
        head?: never;
        /**
         * Edit a draft
         * @description All operations or none, in their order. A draft that was edited since `expected_draft_revision` is a 409, which names the current one; null clears a field.
         *
         *     Scope: `workflow_definition:write`.
         */
        patch: operations["updateWorkflowDraft"];
        trace?: never;
    };
    "/api/workflow-definitions/{id}/duplicate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Copy a workflow as a draft of another name
         * @description Scope: `workflow_definition:write`.
         */
        post: operations["duplicateWorkflowDefinition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-definitions/{id}/publish": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Publish a draft as an immutable version
         * @description What is wrong is a 400, with every problem in it; then nothing is published. A fresh draft takes its place.
         *
         *     Scope: `workflow_definition:write`.
         */
        post: operations["publishWorkflowDefinition"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-definitions/{id}/validate": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Check a draft as publish would
         * @description What is wrong is a 400, with every problem in it.
         *
         *     Scope: `workflow_definition:read` or `workflow_definition:write`.
         */
        post: operations["validateWorkflowDraft"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-definitions/{id}/versions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List a workflow’s versions, newest first
         * @description Scope: `workflow_definition:read`.
         */
        get: operations["listWorkflowDefinitionVersions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List events with what each matched, newest first
         * @description Events are kept as long as `retention.events` says. Their payloads are not shown.
         *
         *     Scope: `workflow:read`.
         */
        get: operations["listEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List schedules, newest first
         * @description Scope: `workflow:read`.
         */
        get: operations["listSchedules"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-schedules/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Show a schedule and what comes next
         * @description Scope: `workflow:read`.
         */
        get: operations["getSchedule"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-schedules/{id}:backfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start what was due in the past
         * @description The oldest first, with low priority. An occurrence that has started a run starts none again, so that a backfill may be repeated. After `limit` occurrences the answer says where the next one goes on.
         *
         *     Scope: `schedule:write`.
         */
        post: operations["backfillSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-schedules/{id}:pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a schedule
         * @description Nothing comes due until it is resumed, and nothing is made up for then. Its runs go on. It stays paused when a version is published, unless `settings.schedule.paused` says otherwise.
         *
         *     Scope: `schedule:write`.
         */
        post: operations["pauseSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-schedules/{id}:resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a schedule that is paused or in error
         * @description It counts from now on.
         *
         *     Scope: `schedule:write`.
         */
        post: operations["resumeSchedule"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-schedules/{id}:triggerNow": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a run of a schedule now
         * @description Whatever its overlap policy, and also while it is paused. `schedule.due_at` is this moment; with a `request_id` that was used before, the answer is the run that it has started.
         *
         *     Scope: `schedule:write`.
         */
        post: operations["triggerScheduleNow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflow-schedules/{id}/occurrences": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what became of a schedule’s occurrences, the latest first
         * @description What was missed in one stretch is one item, with a `count`.
         *
         *     Scope: `workflow:read`.
         */
        get: operations["listScheduleOccurrences"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List runs, newest first
         * @description Without inputs and outputs, which stand on each run by itself.
         *
         *     Scope: `workflow:read`.
         */
        get: operations["listRuns"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/runs/{run_id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read a run
         * @description Scope: `workflow:read`.
         */
        get: operations["getRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/runs/{run_id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what happened in a run, oldest first
         * @description Scope: `workflow:read`.
         */
        get: operations["listRunEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/runs/{run_id}/tree": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Lists the whole family of a run: its root, and all that came of it
         * @description Any run of the family may be asked for. The root comes first and the others in the order of their ids, which is by time: with rare exceptions, a run comes after the one that it hangs from.
         *
         *     Scope: `workflow:read`.
         */
        get: operations["getRunTree"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/runs/{run_id}/watch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow what happens in a run
         * @description Server-sent events, from the first until the run has ended: `id: seq.index`, `event: transition`, and in `data`
         *     a `RunEvent`. A comment comes every 15 seconds where nothing happens. `Last-Event-ID` asks for what came after an event;
         *     a reader that has seen all of an ended run is answered 204.
         *
         *     Scope: `workflow:read`.
         */
        get: operations["watchRun"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/workflows/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Counts runs and attempts over time
         * @description From roll-ups of minutes, which are at most half a minute behind. A run counts as created in the minute of its id, and as ended in that of its end, once for each end; attempts count in the minute in which their run ended. Minutes that begin from `from` to before `to` are counted: by default the last 24 buckets.
         *
         *     Scope: `workflow:read`.
         */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This API as a page
         * @description A guide first, then each call, which can be tried with a key. The page asks no other host for anything.
         *
         *     Open without a key.
         */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A script, style sheet or image of the page
         * @description One of `docs.css`, `docs.js`, `icon.svg`, `swagger-ui.css`, `swagger-ui-bundle.js`.
         *
         *     Open without a key.
         */
        get: operations["getDocsFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the process answers
         * @description Open without a key.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/hooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Deliver to a webhook
         * @description What other systems call. Answered when what it asks for is committed; the same delivery again does nothing and gets the same answer. Status and body are the webhook’s own. JSON, forms and text are read.
         *
         *     Open without a key.
         */
        post: operations["deliverToWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this host has done and is doing, for Prometheus
         * @description Scope: `operator`.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * This API as an OpenAPI 3.1 document
         * @description Open without a key.
         */
        get: operations["getOpenApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the host can do its work, and how each part of it is
         * @description Degraded is ready: it can do most of its work.
         *
         *     Open without a key.
         */
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/connector.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The JSON Schema of a connector’s manifest
         * @description JSON Schema 2020-12; editors check files against it.
         *
         *     Open without a key.
         */
        get: operations["getConnectorSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/ductor.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The JSON Schema of ductor.yaml
         * @description JSON Schema 2020-12; editors check files against it.
         *
         *     Open without a key.
         */
        get: operations["getConfigSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/schemas/plugin.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The JSON Schema of a plugin’s manifest
         * @description JSON Schema 2020-12; editors check files against it.
         *
         *     Open without a key.
         */
        get: operations["getPluginSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Accepted: {
            /** Format: uuid */
            run_id: string;
            /** @enum {string} */
            status: "accepted";
        };
        ActionStep: {
            /** Format: action */
            action: string;
            /** @description JSON; `${ }` in its texts holds CEL. */
            args?: unknown;
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            /** Format: credential */
            credential?: string;
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @enum {unknown} */
            join?: "all" | "any";
            /** @enum {unknown} */
            on_unknown?: "retry" | "park";
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_ACTION";
        };
        /** @description What every answer has beside its own fields. */
        Answer: {
            metadata: components["schemas"]["Metadata"];
        };
        ApiKey: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            id: string;
            /** @description Changes are noted as those of key:<name> */
            name: string;
            rate_limit: components["schemas"]["RateLimit"] | null;
            /** Format: date-time */
            revoked_at: string | null;
            scopes: ("workflow_definition:read" | "workflow_definition:write" | "workflow:read" | "workflow:write" | "workflow_run:write" | "workflow_events:publish" | "connector:read" | "connector:write" | "credential:read" | "credential:write" | "schedule:write" | "webhook:write" | "operator")[];
            tenant_id: string | null;
        };
        ApiKeyList: {
            items: components["schemas"]["ApiKey"][];
            next_page_token: string | null;
        };
        ApprovalStep: {
            approvers?: string[];
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            form?: Record<string, unknown>;
            /** @enum {unknown} */
            join?: "all" | "any";
            /** @default 1 */
            min_approvals?: number;
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_APPROVAL";
        };
        Approve: {
            /** @description Default: the caller’s key */
            approver_id?: string;
            /**
             * @description The indexes of the branches around the step, outermost first
             * @default []
             */
            branch?: number[];
            comment?: string;
            payload?: unknown;
            /** @description The same again is the same signal */
            request_id: string;
        };
        ArchivedDefinition: {
            /** @description Every version that this call has archived */
            archived: {
                /** Format: uuid */
                id: string;
                version: number;
            }[];
            /** Format: date-time */
            archived_at: string | null;
            /** @description Of a version: the packages that its actions run on */
            connectors?: components["schemas"]["ConnectorPin"][];
            /** Format: date-time */
            created_at: string;
            description: string | null;
            /** @description Of a draft: grows by one with each edit */
            draft_revision?: number;
            family_slug: string;
            graph: components["schemas"]["Graph"];
            /**
             * Format: uuid
             * @description Of a draft it never changes; each version has its own
             */
            id: string;
            /** Format: date-time */
            published_at: string | null;
            settings: components["schemas"]["Settings"];
            /** @enum {string} */
            status: "draft" | "published" | "archived";
            tags: string[];
            title: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Of a draft: the number that it will get */
            version: number;
            warnings: components["schemas"]["Problem"][];
        };
        Attempt: {
            action: string;
            attempt: number;
            /** Format: uuid */
            attempt_id: string;
            /** @description Indexes of the branches it is in, outermost first */
            branch: number[];
            /** Format: date-time */
            ended_at: string | null;
            error: components["schemas"]["AttemptFailure"] | null;
            finished_anyway: boolean;
            generation: number;
            heartbeat: unknown;
            /** Format: date-time */
            heartbeat_at: string | null;
            host: string | null;
            input: unknown;
            outcome_unknown: boolean;
            output: unknown;
            /** Format: date-time */
            scheduled_at: string;
            /** Format: date-time */
            started_at: string | null;
            status: string;
            step_ref: string;
            /** @description Its result came too late to move anything */
            superseded: boolean;
            tier: string | null;
        };
        AttemptFailure: {
            code: string;
            deadline?: string;
            details?: unknown;
            message: string;
            /**
             * @description Who has to act
             * @enum {string}
             */
            party?: "user" | "connector" | "operator" | "engine";
            retry_after_ms?: number;
            retryable?: boolean;
        };
        AttemptList: {
            items: components["schemas"]["Attempt"][];
            next_page_token: string | null;
        };
        AuditEntry: {
            /** @description What was changed and how: tenant.update, workflow_run.cancel */
            action: string;
            actor: string;
            /** Format: date-time */
            at: string;
            details: unknown;
            id: string;
            /** @description The id of what was changed */
            target: string;
            /** @description null: of no tenant */
            tenant_id: string | null;
        };
        AuditLog: {
            items: components["schemas"]["AuditEntry"][];
            next_page_token: string | null;
        };
        BackfilledOccurrence: {
            /** Format: date-time */
            due_at: string;
            /** @enum {string} */
            outcome: "fired" | "existed" | "skipped";
            reason: components["schemas"]["ScheduleReason"] | null;
            run_id: string | null;
        };
        BackfillSchedule: {
            /**
             * Format: date-time
             * @description The first instant of the stretch
             */
            from: string;
            /** @default 100 */
            limit?: number;
            /**
             * @description Of this backfill; the schedule’s own does not matter
             * @default allow_all
             * @enum {string}
             */
            overlap_policy?: "skip" | "allow_all";
            /**
             * Format: date-time
             * @description The last one; not in the future
             */
            to: string;
        };
        BatchAccepted: {
            operation_id: string;
            /** @enum {string} */
            status: "pending";
        };
        BatchPreview: {
            /** @description null: more than 100,000 */
            matches: number | null;
            /** @description The newest, as lists show them */
            sample: Record<string, unknown>[];
        };
        BatchRefused: {
            error?: {
                code?: string;
                details?: unknown;
                message?: string;
            };
        };
        BatchStarted: {
            run_id: string;
            status: string;
        };
        Branch: {
            /** Format: date-time */
            ended_at: string | null;
            error: components["schemas"]["Failure"] | null;
            /** @description Its place among the items */
            index: number;
            output: unknown;
            /**
             * Format: uuid
             * @description The run that it is, or was: with the mode child_run, once it has started
             */
            run_id: string | null;
            /** @enum {string} */
            status: "pending" | "in_flight" | "completed" | "failed" | "cancelled";
            /** @description What its expressions see of its own: item and index */
            variables: Record<string, unknown>;
        };
        /** @description How many of its branches stand where */
        BranchCounts: {
            cancelled: number;
            completed: number;
            failed: number;
            in_flight: number;
            pending: number;
            total: number;
        };
        BranchList: {
            items: components["schemas"]["Branch"][];
            next_page_token: string | null;
        };
        CallerRelease: {
            /** Format: date-time */
            declared_at: string;
            declared_by: string;
            /** @description As triggers carry it */
            external_deployment_id: string;
            id: string;
            /**
             * Format: date-time
             * @description null: it is the live one
             */
            superseded_at: string | null;
        };
        CallerReleaseList: {
            items: components["schemas"]["CallerRelease"][];
            next_page_token: string | null;
        };
        CheckpointStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @enum {unknown} */
            join?: "all" | "any";
            name: string;
            ref: string;
            /** @description JSON; `${ }` in its texts holds CEL. */
            reply?: unknown;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_CHECKPOINT";
        };
        Compensation: {
            /** @description What undoes the execution */
            action: string;
            branch: number[];
            /**
             * Format: uuid
             * @description The run that undoes it, or tried last
             */
            compensation_run_id: string | null;
            /**
             * Format: date-time
             * @description When the execution settled
             */
            completed_at: string;
            error: components["schemas"]["CompensationError"] | null;
            failure_policy: string;
            generation: number;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            settled_at: string | null;
            /**
             * @description `unknown`, `repair`: somebody has to see to it
             * @enum {string}
             */
            state: "owed" | "undoing" | "undone" | "unknown" | "repair" | "ignored" | "resolved";
            step_ref: string;
        };
        CompensationError: {
            code: string;
            message: string;
        };
        CompensationList: {
            items: components["schemas"]["Compensation"][];
            next_page_token: string | null;
        };
        CompensationRetry: {
            /**
             * Format: uuid
             * @description The run that tries again
             */
            compensation_run_id: string;
            /** @enum {string} */
            status: "accepted";
        };
        ConditionStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @description A CEL expression that yields a boolean. */
            expression: string;
            /** @enum {unknown} */
            join?: "all" | "any";
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_CONDITION";
        };
        ConnectorPin: {
            id: string;
            integrity: string | null;
            package: string;
            version: string;
        };
        Control: {
            actor: string | null;
            /** Format: date-time */
            at: string;
            control: string;
            /** @enum {string} */
            outcome: "accepted" | "applied" | "no_effect" | "refused";
            reason: string | null;
            request_id: string | null;
            why?: string;
        };
        CorrelationLabels: {
            id: string;
            key: string;
        }[];
        CreateApiKey: {
            /** Format: date-time */
            expires_at?: string | null;
            /** @description Changes are noted as those of key:<name> */
            name: string;
            rate_limit?: components["schemas"]["RateLimit"] | null;
            scopes: ("workflow_definition:read" | "workflow_definition:write" | "workflow:read" | "workflow:write" | "workflow_run:write" | "workflow_events:publish" | "connector:read" | "connector:write" | "credential:read" | "credential:write" | "schedule:write" | "webhook:write" | "operator")[];
            /** @description null: an operator’s key, which names a tenant by X-Tenant-ID */
            tenant_id: string | null;
        };
        CreateCredential: {
            /** @description a kind of credential, by its id in the connector’s manifest */
            auth: string;
            /**
             * @description settings of the connector that are not secret
             * @default {}
             */
            config?: Record<string, unknown>;
            /** @description the id of a connector */
            connector: string;
            /** @description unique in the tenant; what steps name */
            name: string;
            /**
             * @description as the kind’s schema has them; written, never read
             * @default {}
             */
            values?: Record<string, unknown>;
        };
        CreateTenant: {
            entitlements?: components["schemas"]["EntitlementChanges"];
            /** @description A slug is 1 to 63 of the characters a-z, 0-9 and -, and does not begin with -. */
            id: string;
            /**
             * @description required: a trigger carries the live release as its external_deployment_id
             * @enum {string}
             */
            release_policy?: "none" | "required";
        };
        CreateWebhook: {
            action: components["schemas"]["WebhookAction"];
            /**
             * @description Names a delivery and its repetitions. Default: webhook-id, X-GitHub-Delivery, X-Shopify-Webhook-Id or Idempotency-Key; where there is none, the hash of the body
             * @default null
             */
            delivery_header?: string | null;
            /**
             * @description false: deliveries are answered with 404
             * @default true
             */
            enabled?: boolean;
            /** @description Unique in the tenant */
            name: string;
            response?: components["schemas"]["WebhookResponse"];
            verify: components["schemas"]["WebhookVerify"];
        };
        CreateWorkflowDefinition: {
            description?: string | null;
            /** @description Lower case letters, digits and hyphens; it never changes */
            family_slug: string;
            graph?: components["schemas"]["Graph"];
            settings?: components["schemas"]["Settings"];
            tags?: string[];
            title?: string;
        };
        Credential: {
            /** @description a kind of credential, by its id in the connector’s manifest */
            auth: string;
            /** @description settings of the connector that are not secret */
            config: Record<string, unknown>;
            /** @description the id of a connector */
            connector: string;
            /** Format: date-time */
            created_at: string;
            /** @description names of the values that are set */
            fields: string[];
            id: string;
            /** @description the master key that it is encrypted with */
            key_id: string;
            /** @description unique in the tenant; what steps name */
            name: string;
            /** @description whether this host has that key */
            readable: boolean;
            /** Format: date-time */
            updated_at: string;
        };
        CredentialList: {
            items: components["schemas"]["Credential"][];
            next_page_token: string | null;
        };
        CredentialTestResult: {
            error?: {
                code: string;
                message: string;
            };
            /**
             * @description untested: the connector has no action that proves this kind
             * @enum {string}
             */
            status: "passed" | "failed" | "untested";
        };
        DeclareRelease: {
            /** @description As triggers carry it */
            external_deployment_id: string;
        };
        DeferStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            /**
             * Format: duration
             * @description ISO 8601, such as PT30S.
             */
            delay?: string;
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @description JSON; `${ }` in its texts holds CEL. */
            input?: unknown;
            /** @enum {unknown} */
            join?: "all" | "any";
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_DEFER";
            workflow: {
                slug: string;
                /** @default latest */
                version?: number | "latest";
            };
        };
        DeletedCredential: {
            /** @enum {boolean} */
            deleted: true;
            id: string;
            /** @description unique in the tenant; what steps name */
            name: string;
        };
        DeletedDraft: {
            /** @enum {boolean} */
            deleted: true;
            family_slug: string;
            /** Format: uuid */
            id: string;
        };
        DeletedWebhook: {
            /** @enum {boolean} */
            deleted: true;
            /** Format: uuid */
            id: string;
            name: string;
        };
        Digest: {
            /** @description How many wait in it */
            arrivals: number;
            /** Format: uuid */
            definition_id: string;
            digest_key: string;
            /** Format: date-time */
            due_at: string;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            leader_run_id: string;
            leader_status: string;
            /** Format: date-time */
            opened_at: string;
            /**
             * @description `open`: it may be joined until `due_at`; `due`: its leader has it to take up; `left`: its leader is over
             * @enum {string}
             */
            state: "open" | "due" | "left";
            step_ref: string;
        };
        DigestStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            /** @description A CEL expression that yields a string. */
            dedupe_key?: string;
            /** @description A CEL expression that yields a string. */
            digest_key: string;
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @enum {unknown} */
            join?: "all" | "any";
            /** @default 10000 */
            max_count?: number;
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_DIGEST";
            /**
             * Format: duration
             * @description ISO 8601, such as PT30S.
             */
            window: string;
        };
        DraftOperation: {
            add_step: components["schemas"]["Step"];
        } | {
            update_step: components["schemas"]["UpdateStep"];
        } | {
            remove_step: components["schemas"]["RemoveStep"];
        } | {
            rename_step: components["schemas"]["RenameStep"];
        } | {
            add_edge: components["schemas"]["Edge"];
        } | {
            update_edge: components["schemas"]["UpdateEdge"];
        } | {
            remove_edge: components["schemas"]["RemoveEdge"];
        } | {
            set_settings: components["schemas"]["Settings"];
        } | {
            replace_graph: components["schemas"]["Graph"];
        };
        DuplicateWorkflowDefinition: {
            family_slug: string;
        };
        /** @description Percentiles are rough: durations are counted in fixed buckets */
        DurationSummary: {
            average_ms: number | null;
            /** @description How many were measured: what never started has no duration */
            count: number;
            p50_ms: number | null;
            p90_ms: number | null;
            p99_ms: number | null;
        };
        Edge: {
            case?: string;
            condition?: string;
            from: string;
            to: string;
            /** @enum {string} */
            type: "SUCCESS" | "ERROR" | "ALWAYS" | "TIMEOUT" | "TRUE" | "FALSE" | "CASE" | "DEFAULT" | "APPROVED" | "REJECTED";
        };
        EmitStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            /** @description A CEL expression that yields a string. */
            correlation_key: string;
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            event_name: string;
            /** @enum {unknown} */
            join?: "all" | "any";
            /** @description JSON; `${ }` in its texts holds CEL. */
            payload?: unknown;
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_EMIT";
        };
        /** @description Limits that change; null is unlimited */
        EntitlementChanges: {
            /** @description Ids of the connectors that may be published; others are a 403 */
            connectors?: string[] | null;
            /** @description Workflows with a published version; beyond it publish is a 403 */
            max_definitions?: number | null;
            /** @description Runs that have not ended, whoever started them; beyond it a trigger is a 429 */
            max_open_runs?: number | null;
            /** @description Runs that were triggered in the last 60 seconds; beyond it a trigger is a 429 */
            runs_per_minute?: number | null;
            /** @description Step types that may be published; others are a 403 */
            step_types?: string[] | null;
        };
        /** @description null is unlimited */
        Entitlements: {
            /** @description Ids of the connectors that may be published; others are a 403 */
            connectors?: string[] | null;
            /** @description Workflows with a published version; beyond it publish is a 403 */
            max_definitions?: number | null;
            /** @description Runs that have not ended, whoever started them; beyond it a trigger is a 429 */
            max_open_runs?: number | null;
            /** @description Runs that were triggered in the last 60 seconds; beyond it a trigger is a 429 */
            runs_per_minute?: number | null;
            /** @description Step types that may be published; others are a 403 */
            step_types?: string[] | null;
        };
        /** @description What every error answers. */
        ErrorAnswer: {
            error: {
                /** @enum {string} */
                code: "invalid_argument" | "unauthenticated" | "permission_denied" | "not_found" | "already_exists" | "failed_precondition" | "conflict" | "payload_too_large" | "resource_exhausted" | "internal" | "unavailable";
                /** @description Usually one `Problem` for each thing that is wrong. */
                details?: components["schemas"]["Problem"][] | unknown;
                message: string;
            };
            metadata: components["schemas"]["Metadata"];
        };
        EventList: {
            items: components["schemas"]["WorkflowEvent"][];
            next_page_token: string | null;
        };
        EventMatch: {
            branch?: number[];
            /** @description Why it could not be told: the step waits on, or no run was started */
            error?: {
                code: string;
                message: string;
            };
            run_id?: string;
            /** @description The step that waited */
            step_ref?: string;
            /** @description Which of the step’s subscriptions took it */
            subscription?: string;
            /** @description The family whose trigger started the run */
            trigger?: string;
        };
        EventSetStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            /** @description A CEL expression that yields a string. */
            correlation_key: string;
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @enum {unknown} */
            join?: "all" | "any";
            /**
             * Format: duration
             * @description ISO 8601, such as PT30S.
             */
            lookback?: string;
            ref: string;
            requirements: {
                /** @description A CEL expression that yields a string. */
                correlation_key?: string;
                /** @default 1 */
                count?: number;
                event_name: string;
                /** @description A CEL expression that yields a boolean. */
                match?: string;
                name: string;
            }[];
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_EVENT_SET";
        };
        FailStep: {
            code: string;
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @enum {unknown} */
            join?: "all" | "any";
            /** @description JSON; `${ }` in its texts holds CEL. */
            message?: unknown;
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_FAIL";
        };
        Failure: {
            code: string;
            details?: unknown;
            message: string;
            /**
             * @description Who has to act
             * @enum {string}
             */
            party?: "user" | "connector" | "operator" | "engine";
        };
        FamilyMember: {
            continued_from_run_id: string | null;
            /** Format: date-time */
            created_at: string;
            /** @description How deep it is nested; a continuation lies as deep as its run */
            depth: number;
            /** Format: date-time */
            ended_at: string | null;
            kind: string;
            parent_branch: number[];
            parent_run_id: string | null;
            /** @description The step that started it, where one waits for it */
            parent_step_ref: string | null;
            /**
             * @description A continuation hangs from continued_from_run_id, a child from parent_run_id
             * @enum {string}
             */
            relation: "root" | "child" | "deferred" | "continuation";
            /** @description Of a root: the run of another family that it was forked from */
            reset_from_run_id: string | null;
            run_id: string;
            /** Format: date-time */
            started_at: string | null;
            /** @enum {string} */
            status: "pending" | "running" | "waiting" | "paused" | "cancelling" | "completed" | "failed" | "cancelled" | "terminated" | "continued_as_new" | "merged";
            version: number | null;
            workflow_type: string | null;
        };
        FinalizerStep: {
            /** Format: action */
            action: string;
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            /** Format: credential */
            credential?: string;
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            index: number;
            /** @enum {unknown} */
            join?: "all" | "any";
            /** @enum {unknown} */
            on_unknown?: "retry" | "park";
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_FINALIZER";
        };
        GatherStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @enum {unknown} */
            join?: "all" | "any";
            /** @description A CEL expression. */
            reduce?: string;
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            /** Format: step_ref */
            scatter: string;
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_GATHER";
        };
        Graph: {
            edges?: components["schemas"]["Edge"][];
            finally?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /** @enum {unknown} */
                on_unknown?: "retry" | "park";
                ref: string;
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
                timeout?: string | {
                    /**
                     * Format: duration
                     * @description ISO 8601, such as PT30S.
                     */
                    heartbeat?: string;
                    /**
                     * Format: duration
                     * @description ISO 8601, such as PT30S.
                     */
                    schedule_to_close?: string;
                    /**
                     * Format: duration
                     * @description ISO 8601, such as PT30S.
                     */
                    schedule_to_start?: string;
                    /**
                     * Format: duration
                     * @description ISO 8601, such as PT30S.
                     */
                    start_to_close?: string;
                };
                title?: string;
                /** @enum {unknown} */
                type: "STEP_TYPE_ACTION" | "ACTION";
            }[];
            /** @description JSON; `${ }` in its texts holds CEL. */
            output?: unknown;
            steps?: components["schemas"]["Step"][];
        };
        Health: {
            /** @enum {string} */
            status: "ok";
        };
        Lineage: {
            /** Format: uuid */
            continued_from_run_id: string | null;
            journey_id: string;
            nesting_depth: number;
            /** Format: uuid */
            parent_run_id: string | null;
            /** Format: uuid */
            reset_from_run_id: string | null;
            /** Format: uuid */
            root_run_id: string;
        };
        Metadata: {
            /** Format: date-time */
            fetched_at: string;
            /** @description As in `X-Request-ID`. */
            request_id: string;
            /** @description As in `traceparent`. */
            trace_id: string;
        };
        NewApiKey: {
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            expires_at: string | null;
            id: string;
            /** @description Shown this once */
            key: string;
            /** @description Changes are noted as those of key:<name> */
            name: string;
            rate_limit: components["schemas"]["RateLimit"] | null;
            /** Format: date-time */
            revoked_at: string | null;
            scopes: ("workflow_definition:read" | "workflow_definition:write" | "workflow:read" | "workflow:write" | "workflow_run:write" | "workflow_events:publish" | "connector:read" | "connector:write" | "credential:read" | "credential:write" | "schedule:write" | "webhook:write" | "operator")[];
            tenant_id: string | null;
        };
        Node: {
            attempt: number;
            /** Format: uuid */
            attempt_id?: string;
            branches?: components["schemas"]["BranchCounts"];
            /** Format: date-time */
            ended_at?: string | null;
            error?: components["schemas"]["Failure"];
            generation: number;
            /**
             * Format: date-time
             * @description When it will be looked at next
             */
            next_wake_at?: string | null;
            outcome?: string;
            output?: unknown;
            reason?: components["schemas"]["Reason"];
            /** Format: date-time */
            started_at?: string | null;
            /** @enum {string} */
            status: "pending" | "running" | "backoff" | "waiting" | "paused" | "completed" | "failed" | "skipped" | "cancelled";
            type: string | null;
            /**
             * @description Its edges are taken later, or never
             * @enum {boolean}
             */
            unrouted?: true;
        };
        Operation: {
            /** @description Who asked for it: key:<name of the key> */
            actor: string;
            /** Format: date-time */
            created_at: string;
            /** @description Things dealt with, those that failed included */
            done: number;
            /** Format: date-time */
            ended_at: string | null;
            /** @description Why it failed as a whole */
            error: {
                code?: string;
                message?: string;
            } | null;
            failed: number;
            /** @description The first hundred */
            failures: components["schemas"]["OperationFailure"][];
            /** @description What is done: run_control, … */
            kind: string;
            operation_id: string;
            /** @description What was asked for, in the words of the kind */
            params: Record<string, unknown>;
            /** Format: date-time */
            started_at: string | null;
            /** @enum {string} */
            status: "pending" | "running" | "done" | "failed" | "cancelled";
            /** @description Things to do; null while, or where, it is unknown */
            total: number | null;
        };
        OperationFailure: {
            code?: string;
            id?: string;
            message?: string;
        };
        OperationList: {
            items: components["schemas"]["Operation"][];
            next_page_token: string | null;
        };
        Payload: {
            bytes: number;
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            run_id: string;
            value: unknown;
        };
        Problem: {
            /** @description What could stand there */
            allowed?: string[];
            code: string;
            message: string;
            /** @description Where it is, such as graph.edges[1].type */
            path: string;
            /** @description In an expression; both count from 1 */
            position?: {
                column: number;
                line: number;
            };
        };
        PublishedDefinition: {
            draft: components["schemas"]["WorkflowDefinition"];
            published: components["schemas"]["WorkflowDefinition"];
            warnings: components["schemas"]["Problem"][];
        };
        PublishedEvent: {
            /** @description The publisher’s own, or the one that the event was given */
            event_id: string;
            /** @description How many waits took it; 0 for one that is there already */
            matched: number;
        };
        PublishEvent: {
            /**
             * @description Which of the things it is about
             * @default
             */
            correlation_key?: string;
            /** @description The publisher’s own */
            event_id?: string;
            event_name: string;
            /** @default {} */
            payload?: unknown;
        };
        PublishWorkflowDefinition: {
            expected_draft_revision?: number;
        };
        RaceStep: {
            arms: string[];
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @enum {unknown} */
            join?: "all" | "any";
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_RACE";
        };
        /** @description Each host counts for itself; beyond it a request is a 429. Without it there is no limit */
        RateLimit: {
            /** @description Requests at once after a pause; by default those of a minute */
            burst?: number;
            requests_per_minute: number;
        };
        Readiness: {
            /** @description By name */
            checks: {
                [key: string]: {
                    details?: Record<string, unknown>;
                    /** @enum {string} */
                    status: "ok" | "degraded" | "failed";
                };
            };
            /** @enum {string} */
            status: "ok" | "degraded" | "failed";
        };
        /** @description Why it waits; what stands beside the code depends on it */
        Reason: {
            code: string;
        };
        Reject: {
            /** @description Default: the caller’s key */
            approver_id?: string;
            /**
             * @description The indexes of the branches around the step, outermost first
             * @default []
             */
            branch?: number[];
            comment?: string;
            payload?: unknown;
            /** @description The same again is the same signal */
            request_id: string;
        };
        RemoveEdge: {
            case?: string;
            from: string;
            to: string;
            /** @enum {string} */
            type: "SUCCESS" | "ERROR" | "ALWAYS" | "TIMEOUT" | "TRUE" | "FALSE" | "CASE" | "DEFAULT" | "APPROVED" | "REJECTED";
        };
        RemoveStep: {
            ref: string;
        };
        RenameStep: {
            ref: string;
            to: string;
        };
        RepairItem: {
            /** @description What undoes the execution */
            action: string;
            branch: number[];
            /**
             * Format: uuid
             * @description The run that undoes it, or tried last
             */
            compensation_run_id: string | null;
            /**
             * Format: date-time
             * @description When the execution settled
             */
            completed_at: string;
            error: components["schemas"]["CompensationError"] | null;
            failure_policy: string;
            generation: number;
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            opened_at: string;
            /** @description Who has said that nothing is left to do */
            resolution: {
                actor?: string;
                /** Format: date-time */
                at?: string;
                reason?: string | null;
            } | null;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            settled_at: string | null;
            /**
             * @description `unknown`, `repair`: somebody has to see to it
             * @enum {string}
             */
            state: "owed" | "undoing" | "undone" | "unknown" | "repair" | "ignored" | "resolved";
            /** @enum {string} */
            status: "open" | "resolved";
            step_ref: string;
        };
        RepairItemList: {
            items: components["schemas"]["RepairItem"][];
            next_page_token: string | null;
        };
        ResealedCredentials: {
            /** @description how many credentials */
            resealed: number;
            /** @description those that no key of this host opens; they stay */
            unreadable: number;
        };
        ResolveAttempt: {
            reason?: string | null;
            request_id: string;
            resolution: {
                /** @enum {string} */
                outcome: "completed";
                output?: unknown;
            } | {
                message?: string;
                /** @enum {string} */
                outcome: "failed";
            } | {
                /** @enum {string} */
                outcome: "retry";
            };
        };
        ResolveStep: {
            /**
             * @description The indexes of the branches around the step, outermost first
             * @default []
             */
            branch?: number[];
            comment?: string;
            payload?: unknown;
            /** @description The same again is the same signal */
            request_id: string;
        };
        RuleStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /**
             * @default first
             * @enum {unknown}
             */
            hit_policy?: "first" | "collect";
            /** @enum {unknown} */
            join?: "all" | "any";
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            rules: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                value: unknown;
                /** @description A CEL expression that yields a boolean. */
                when: string;
            }[];
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_RULE";
        };
        Run: {
            attributes: Record<string, unknown>;
            /** Format: date-time */
            created_at: string;
            current_step: string | null;
            /** Format: uuid */
            definition_id: string;
            /** Format: date-time */
            ended_at: string | null;
            /** @description How it is about to end, while it waits for what is in flight */
            ending: {
                status: components["schemas"]["RunStatus"];
            } | null;
            error: components["schemas"]["Failure"] | null;
            external_deployment_id: string | null;
            family_slug: string | null;
            input: unknown;
            /** @description workflow, or what a plugin calls its own */
            kind: string;
            lineage: components["schemas"]["Lineage"];
            /**
             * Format: uuid
             * @description Of a run that is merged: whose digest took it up
             */
            merged_into_run_id?: string;
            output: unknown;
            priority: string;
            /** @description The number of its last transition */
            record_version: number;
            run_context: Record<string, unknown>;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            start_at: string | null;
            /** Format: date-time */
            started_at: string | null;
            status: components["schemas"]["RunStatus"];
            subject_id: string | null;
            subject_type: string | null;
            version: number | null;
            /** @description The slug as programs write it */
            workflow_type: string | null;
        };
        RunBatch: {
            /** @enum {string} */
            control: "pause" | "resume" | "cancel" | "terminate" | "redrive";
            /** @default false */
            dry_run?: boolean;
            filter: components["schemas"]["RunFilter"];
            /** @default null */
            reason?: string | null;
        };
        RunControl: {
            reason?: string | null;
            request_id: string;
        };
        RunEvent: {
            actor?: string | null;
            /** Format: date-time */
            at: string;
            attempt?: number;
            /** Format: uuid */
            attempt_id?: string;
            /** @description Indexes of the branches it is in, outermost first */
            branch?: number[];
            cause: {
                kind: string;
            };
            control?: string;
            /** Format: date-time */
            due_at?: string | null;
            error?: components["schemas"]["Failure"];
            from: string | null;
            generation?: number;
            /** @description In its transition */
            index: number;
            request_id?: string | null;
            /** @description Of its transition */
            seq: number;
            step_ref?: string;
            to: string | null;
            /** @enum {string} */
            type: "run" | "node" | "attempt" | "control" | "signal" | "wait";
            wait?: string;
        };
        RunEventList: {
            items: components["schemas"]["RunEvent"][];
            next_page_token: string | null;
        };
        RunFilter: {
            /** @description Only runs that have not ended */
            active_only?: boolean;
            /** @description By default workflow */
            kind?: string;
            root_run_id?: string;
            /** Format: date-time */
            started_after?: string;
            /** Format: date-time */
            started_before?: string;
            status?: ("pending" | "running" | "waiting" | "paused" | "cancelling" | "completed" | "failed" | "cancelled" | "terminated" | "continued_as_new" | "merged")[] | ("pending" | "running" | "waiting" | "paused" | "cancelling" | "completed" | "failed" | "cancelled" | "terminated" | "continued_as_new" | "merged");
            subject_id?: string;
            subject_type?: string;
            /** @description The slug; - and _ are the same in it */
            workflow_type?: string;
        } & {
            [key: string]: string;
        };
        RunList: {
            items: components["schemas"]["RunSummary"][];
            next_page_token: string | null;
        };
        RunSnapshot: {
            attributes: Record<string, unknown>;
            connectors: components["schemas"]["ConnectorPin"][];
            controls: components["schemas"]["Control"][];
            /** Format: date-time */
            created_at: string;
            current_step: string | null;
            /** Format: uuid */
            definition_id: string;
            /** Format: date-time */
            ended_at: string | null;
            /** @description How it is about to end, while it waits for what is in flight */
            ending: {
                status: components["schemas"]["RunStatus"];
            } | null;
            error: components["schemas"]["Failure"] | null;
            family_slug: string | null;
            input: unknown;
            /** @description workflow, or what a plugin calls its own */
            kind: string;
            lineage: components["schemas"]["Lineage"];
            /**
             * Format: uuid
             * @description Of a run that is merged: whose digest took it up
             */
            merged_into_run_id?: string;
            /** @description By ref; of a step in a branch by ref and indexes */
            nodes: {
                [key: string]: components["schemas"]["Node"];
            };
            output: unknown;
            /** @description The number of its last transition */
            record_version: number;
            run_context: Record<string, unknown>;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            started_at: string | null;
            status: components["schemas"]["RunStatus"];
            version: number | null;
            /** @description The slug as programs write it */
            workflow_type: string | null;
        };
        /** @enum {string} */
        RunStatus: "pending" | "running" | "waiting" | "paused" | "cancelling" | "completed" | "failed" | "cancelled" | "terminated" | "continued_as_new" | "merged";
        RunSummary: {
            attributes: Record<string, unknown>;
            /** Format: date-time */
            created_at: string;
            current_step: string | null;
            /** Format: uuid */
            definition_id: string;
            /** Format: date-time */
            ended_at: string | null;
            /** @description How it is about to end, while it waits for what is in flight */
            ending: {
                status: components["schemas"]["RunStatus"];
            } | null;
            external_deployment_id: string | null;
            family_slug: string | null;
            /** @description workflow, or what a plugin calls its own */
            kind: string;
            lineage: components["schemas"]["Lineage"];
            /**
             * Format: uuid
             * @description Of a run that is merged: whose digest took it up
             */
            merged_into_run_id?: string;
            priority: string;
            /** @description The number of its last transition */
            record_version: number;
            /** Format: uuid */
            run_id: string;
            /** Format: date-time */
            start_at: string | null;
            /** Format: date-time */
            started_at: string | null;
            status: components["schemas"]["RunStatus"];
            subject_id: string | null;
            subject_type: string | null;
            version: number | null;
            /** @description The slug as programs write it */
            workflow_type: string | null;
        };
        RunTree: {
            items: components["schemas"]["FamilyMember"][];
            next_page_token: string | null;
            root_run_id: string;
        };
        RunWhy: {
            reasons: components["schemas"]["WaitReason"][];
            /** Format: uuid */
            run_id: string;
            status: components["schemas"]["RunStatus"];
        };
        SavedCredential: {
            /** @description a kind of credential, by its id in the connector’s manifest */
            auth: string;
            /** @description settings of the connector that are not secret */
            config: Record<string, unknown>;
            /** @description the id of a connector */
            connector: string;
            /** Format: date-time */
            created_at: string;
            /** @description names of the values that are set */
            fields: string[];
            id: string;
            /** @description the master key that it is encrypted with */
            key_id: string;
            /** @description unique in the tenant; what steps name */
            name: string;
            /** @description whether this host has that key */
            readable: boolean;
            /** Format: date-time */
            updated_at: string;
            warnings: {
                code?: string;
                message?: string;
                path?: string;
            }[];
        };
        ScatterStep: {
            batch?: {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                interval: string;
                size: number;
            };
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @description A CEL expression that yields a array. */
            items: string;
            /** @enum {unknown} */
            join?: "all" | "any";
            /** @default 100 */
            max_in_flight?: number;
            /**
             * @default inline
             * @enum {unknown}
             */
            mode?: "inline" | "child_run";
            /** @default fail_fast */
            on_branch_failure?: ("fail_fast" | "collect") | {
                tolerate: {
                    count?: number;
                    percent?: number;
                };
            };
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_SCATTER";
        };
        Schedule: {
            /** Format: date-time */
            created_at: string;
            cron: string;
            /**
             * Format: date-time
             * @description When its workflow was archived, or lost its schedule
             */
            ended_at: string | null;
            error: components["schemas"]["ScheduleReason"] | null;
            /** @description The workflow whose latest version is started */
            family_slug: string;
            id: string;
            last_occurrence: components["schemas"]["ScheduleOccurrence"] | null;
            /** @description Occurrences so far that came while no host was there */
            missed_count: number;
            /**
             * Format: date-time
             * @description When the next occurrence is due
             */
            next_due_at: string | null;
            /** @description When the next ten are due */
            next_occurrences: string[];
            overlap_policy: string;
            paused: boolean;
            /** @description settings.schedule of the latest version */
            spec: Record<string, unknown>;
            /** @enum {string} */
            state: "active" | "paused" | "ended" | "error";
            timezone: string;
            /** Format: date-time */
            updated_at: string;
        };
        ScheduleBackfilled: {
            items: components["schemas"]["BackfilledOccurrence"][];
            /**
             * Format: date-time
             * @description Where a next backfill goes on; null: that was all
             */
            next_from: string | null;
        };
        ScheduleList: {
            items: components["schemas"]["ScheduleSummary"][];
            next_page_token: string | null;
        };
        ScheduleOccurrence: {
            /** @enum {string} */
            by: "timetable" | "backfill" | "manual";
            /** @description With missed: how many were, from due_at to until_at */
            count: number;
            /** Format: date-time */
            due_at: string;
            /** @enum {string} */
            outcome: "fired" | "skipped" | "missed";
            reason: components["schemas"]["ScheduleReason"] | null;
            /** Format: date-time */
            recorded_at: string;
            run_id: string | null;
            /**
             * Format: date-time
             * @description With missed: when the last of them was due
             */
            until_at: string | null;
        };
        ScheduleOccurrenceList: {
            items: components["schemas"]["ScheduleOccurrence"][];
            next_page_token: string | null;
        };
        ScheduleReason: {
            code: string;
            message: string;
            /** @description With run_active: which run */
            run_id?: string;
        };
        ScheduleSummary: {
            /** Format: date-time */
            created_at: string;
            cron: string;
            /**
             * Format: date-time
             * @description When its workflow was archived, or lost its schedule
             */
            ended_at: string | null;
            error: components["schemas"]["ScheduleReason"] | null;
            /** @description The workflow whose latest version is started */
            family_slug: string;
            id: string;
            /** @description Occurrences so far that came while no host was there */
            missed_count: number;
            /**
             * Format: date-time
             * @description When the next occurrence is due
             */
            next_due_at: string | null;
            overlap_policy: string;
            paused: boolean;
            /** @enum {string} */
            state: "active" | "paused" | "ended" | "error";
            timezone: string;
            /** Format: date-time */
            updated_at: string;
        };
        ScheduleTriggered: {
            /** Format: date-time */
            due_at: string;
            run_id: string;
        };
        Settings: {
            /**
             * Format: duration
             * @description ISO 8601, such as PT30S.
             */
            cancel_grace?: string;
            connectors?: {
                [key: string]: string;
            };
            /** @enum {unknown} */
            failure_policy?: "fail_fast" | "drain";
            input_schema?: Record<string, unknown>;
            /**
             * Format: duration
             * @description ISO 8601, such as PT30S.
             */
            run_timeout?: string;
            schedule?: {
                catchup_window_ms?: number;
                cron: string;
                /** Format: date-time */
                end_at?: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                input?: unknown;
                jitter_ms?: number;
                overlap_policy?: unknown;
                paused?: boolean;
                /** Format: date-time */
                start_at?: string;
                timezone?: string;
            };
            triggers?: {
                /** @description A CEL expression that yields a boolean. */
                condition?: string;
                event_name: string;
                /** @description A CEL expression that yields a string. */
                idempotency_key?: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                input?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                labels?: unknown;
            }[];
        };
        Stats: {
            actions: {
                action: string;
                /** @description By their status */
                attempts: {
                    [key: string]: number;
                };
                connector: string;
                duration: components["schemas"]["DurationSummary"];
            }[];
            bucket: string;
            /** Format: date-time */
            from: string;
            /** @description The open runs as they are now, whatever the time that is asked for */
            open: {
                count: number;
                /** @description Only the newest 10000 were counted */
                is_capped: boolean;
                workflows: {
                    count: number;
                    /** @description null: its definition is gone */
                    workflow_type: string | null;
                }[];
            };
            /** @description Parts of time in which nothing was created and nothing ended are left out */
            series: {
                /** Format: date-time */
                at: string;
                attempts: {
                    [key: string]: number;
                };
                created: number;
                duration: components["schemas"]["DurationSummary"];
                /** @description Runs that ended, by their final status */
                ended: {
                    [key: string]: number;
                };
            }[];
            /** Format: date-time */
            to: string;
            workflows: {
                created: number;
                duration: components["schemas"]["DurationSummary"];
                /** @description Runs that ended, by their final status */
                ended: {
                    [key: string]: number;
                };
                /** @description null: its definition is gone */
                workflow_type: string | null;
            }[];
        };
        /** @description One of the step types of this host. */
        Step: components["schemas"]["ActionStep"] | components["schemas"]["TransformStep"] | components["schemas"]["RuleStep"] | components["schemas"]["ConditionStep"] | components["schemas"]["SwitchStep"] | components["schemas"]["WaitStep"] | components["schemas"]["ApprovalStep"] | components["schemas"]["RaceStep"] | components["schemas"]["SubworkflowStep"] | components["schemas"]["EmitStep"] | components["schemas"]["DeferStep"] | components["schemas"]["CheckpointStep"] | components["schemas"]["StopStep"] | components["schemas"]["FailStep"] | components["schemas"]["EventSetStep"] | components["schemas"]["DigestStep"] | components["schemas"]["UndoStep"] | components["schemas"]["FinalizerStep"] | components["schemas"]["ScatterStep"] | components["schemas"]["GatherStep"];
        StopStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @enum {unknown} */
            join?: "all" | "any";
            /** @description JSON; `${ }` in its texts holds CEL. */
            output?: unknown;
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_STOP";
        };
        SubworkflowStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @description JSON; `${ }` in its texts holds CEL. */
            input?: unknown;
            /** @enum {unknown} */
            join?: "all" | "any";
            /**
             * @default cancel
             * @enum {unknown}
             */
            parent_close?: "cancel" | "terminate" | "abandon";
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_SUBWORKFLOW";
            /** @default terminal */
            wait_for?: "terminal" | {
                checkpoint: string;
            };
            workflow: {
                slug: string;
                /** @default latest */
                version?: number | "latest";
            };
        };
        SwitchStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @description A CEL expression. */
            expression: string;
            /** @enum {unknown} */
            join?: "all" | "any";
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_SWITCH";
        };
        Tenant: {
            /** Format: date-time */
            created_at: string;
            entitlements: components["schemas"]["Entitlements"];
            /** @description A slug is 1 to 63 of the characters a-z, 0-9 and -, and does not begin with -. */
            id: string;
            /**
             * @description required: a trigger carries the live release as its external_deployment_id
             * @enum {string}
             */
            release_policy: "none" | "required";
            /** Format: date-time */
            updated_at: string;
        };
        TenantList: {
            items: components["schemas"]["Tenant"][];
            next_page_token: string | null;
        };
        TransformStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @enum {unknown} */
            join?: "all" | "any";
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_TRANSFORM";
            /** @description JSON; `${ }` in its texts holds CEL. */
            value: unknown;
        };
        TriggerBatch: {
            items: (components["schemas"]["TriggerBatchItem"] | unknown)[];
        };
        TriggerBatchAnswer: {
            items: (components["schemas"]["BatchStarted"] | components["schemas"]["BatchRefused"])[];
        };
        TriggerBatchItem: {
            correlation_labels?: components["schemas"]["CorrelationLabels"];
            external_deployment_id?: string;
            /** @description The same key always means the same run */
            idempotency_key?: string;
            /**
             * @description By the definition’s input_schema
             * @default {}
             */
            input?: unknown;
            /**
             * @default normal
             * @enum {string}
             */
            priority?: "high" | "normal" | "low";
            /**
             * Format: date-time
             * @description Not before this instant does the first step start
             */
            start_at?: string;
            subject_id?: string;
            subject_type?: string;
        };
        TriggeredRun: {
            /** @description What the awaited checkpoint replies; missing: it did not come in time */
            response_group_output?: unknown;
            /** Format: uuid */
            run_id: string;
            status: components["schemas"]["RunStatus"];
        };
        TriggerSchedule: {
            /** @description The same again starts no other run */
            request_id?: string;
        };
        TriggerWorkflow: {
            /** @description By default the first that comes */
            checkpoint_name?: string;
            /** @default 30 */
            checkpoint_timeout_seconds?: number;
            correlation_labels?: components["schemas"]["CorrelationLabels"];
            external_deployment_id?: string;
            /** @description The same key always means the same run */
            idempotency_key?: string;
            /**
             * @description By the definition’s input_schema
             * @default {}
             */
            input?: unknown;
            /**
             * @default normal
             * @enum {string}
             */
            priority?: "high" | "normal" | "low";
            /**
             * Format: date-time
             * @description Not before this instant does the first step start
             */
            start_at?: string;
            subject_id?: string;
            subject_type?: string;
            /**
             * @description Answer when the run has come to a checkpoint, with its reply
             * @default false
             */
            wait_for_checkpoint?: boolean;
        };
        UndoStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            credentials?: string[];
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            /** @enum {unknown} */
            join?: "all" | "any";
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_UNDO";
        };
        UpdateCredential: {
            /** @description settings of the connector that are not secret */
            config?: Record<string, unknown>;
            /** @description as the kind’s schema has them; written, never read */
            values?: Record<string, unknown>;
        };
        UpdateEdge: {
            case?: string;
            from: string;
            set: {
                case?: string | null;
                condition?: string | null;
                from?: string;
                to?: string;
                /** @enum {string} */
                type?: "SUCCESS" | "ERROR" | "ALWAYS" | "TIMEOUT" | "TRUE" | "FALSE" | "CASE" | "DEFAULT" | "APPROVED" | "REJECTED";
            };
            to: string;
            /** @enum {string} */
            type: "SUCCESS" | "ERROR" | "ALWAYS" | "TIMEOUT" | "TRUE" | "FALSE" | "CASE" | "DEFAULT" | "APPROVED" | "REJECTED";
        };
        UpdateStep: {
            ref: string;
            set: Record<string, unknown>;
        };
        UpdateTenant: {
            entitlements?: components["schemas"]["EntitlementChanges"];
            /**
             * @description required: a trigger carries the live release as its external_deployment_id
             * @enum {string}
             */
            release_policy?: "none" | "required";
        };
        UpdateWebhook: {
            action?: components["schemas"]["WebhookAction"];
            /** @description Names a delivery and its repetitions. Default: webhook-id, X-GitHub-Delivery, X-Shopify-Webhook-Id or Idempotency-Key; where there is none, the hash of the body */
            delivery_header?: string | null;
            /** @description false: deliveries are answered with 404 */
            enabled?: boolean;
            /** @description Unique in the tenant */
            name?: string;
            response?: components["schemas"]["WebhookResponse"];
            verify?: components["schemas"]["WebhookVerify"];
        };
        UpdateWorkflowDraft: {
            description?: string | null;
            expected_draft_revision: number;
            operations?: components["schemas"]["DraftOperation"][];
            tags?: string[] | null;
            title?: string;
        };
        ValidatedDraft: {
            /** @enum {boolean} */
            valid: true;
            warnings: components["schemas"]["Problem"][];
        };
        WaitReason: {
            /** @description Indexes of the branches it is in, outermost first */
            branch: number[];
            code: string;
            /**
             * Format: date-time
             * @description When it will be looked at next
             */
            next_wake_at: string | null;
            /** Format: date-time */
            since: string;
            step_ref: string | null;
        };
        WaitStep: {
            compensation?: {
                /** Format: action */
                action: string;
                /** @description JSON; `${ }` in its texts holds CEL. */
                args?: unknown;
                /** Format: credential */
                credential?: string;
                /**
                 * @default manual_repair
                 * @enum {unknown}
                 */
                failure_policy?: "manual_repair" | "fail_compensation" | "ignore_with_audit";
                /**
                 * @default [
                 *       "failed",
                 *       "cancelled"
                 *     ]
                 */
                on?: ("failed" | "cancelled")[];
                retry?: {
                    backoff_coefficient?: number;
                    initial_interval_ms?: number;
                    jitter?: number;
                    max_attempts?: number;
                    max_interval_ms?: number;
                    non_retryable?: string[];
                };
            };
            /**
             * Format: duration
             * @description ISO 8601, such as PT30S.
             */
            duration?: string;
            effects?: {
                /** @description JSON; `${ }` in its texts holds CEL. */
                attributes?: unknown;
                /** @description JSON; `${ }` in its texts holds CEL. */
                context?: unknown;
            };
            event?: {
                /** @description A CEL expression that yields a string. */
                correlation_key: string;
                event_name: string;
                /** @description A CEL expression that yields a boolean. */
                match?: string;
            };
            /** @enum {unknown} */
            join?: "all" | "any";
            ref: string;
            retry?: {
                backoff_coefficient?: number;
                initial_interval_ms?: number;
                jitter?: number;
                max_attempts?: number;
                max_interval_ms?: number;
                non_retryable?: string[];
            };
            signal?: string;
            timeout?: string | {
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                heartbeat?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_close?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                schedule_to_start?: string;
                /**
                 * Format: duration
                 * @description ISO 8601, such as PT30S.
                 */
                start_to_close?: string;
            };
            title?: string;
            /**
             * @description discriminator enum property added by openapi-typescript
             * @enum {string}
             */
            type: "STEP_TYPE_WAIT";
            /** @description A CEL expression that yields a string. */
            until?: string;
        };
        Webhook: {
            action: components["schemas"]["WebhookAction"];
            /** Format: date-time */
            created_at: string;
            delivery_header: string | null;
            enabled: boolean;
            /** @description The last 20 deliveries that were refused or could not be used, newest first */
            failures: components["schemas"]["WebhookFailure"][];
            /** Format: uuid */
            id: string;
            name: string;
            /** @description Where deliveries go */
            path: string;
            response: components["schemas"]["WebhookResponse"];
            /** Format: date-time */
            updated_at: string;
            verify: components["schemas"]["WebhookVerify"];
        };
        WebhookAction: {
            publish: {
                /** @default  */
                correlation_key?: string;
                /** @description Default: by the delivery */
                event_id?: string;
                event_name: string;
                /** @default ${request.body} */
                payload?: unknown;
            };
        } | {
            /** @description Also the plugins’ words of a trigger, such as correlation_labels */
            trigger: {
                /** @description Default: by the delivery */
                idempotency_key?: string;
                /** @default ${request.body} */
                input?: unknown;
                workflow: {
                    slug: string;
                    /** @default latest */
                    version?: number | "latest";
                };
            };
        };
        WebhookFailure: {
            /** Format: date-time */
            at: string;
            code: string;
            details?: unknown;
            message: string;
        };
        /** @description The header is the value of the credential */
        WebhookHeader: {
            credential: string;
            header: string;
            /** @enum {string} */
            type: "header";
        };
        WebhookList: {
            items: components["schemas"]["Webhook"][];
            next_page_token: string | null;
        };
        /** @description Whoever knows the address */
        WebhookOpen: {
            /** @enum {string} */
            type: "none";
        };
        WebhookResponse: {
            /**
             * @description A template over `request`
             * @default {
             *       "accepted": true
             *     }
             */
            body?: unknown;
            /** @default 202 */
            status?: number;
        };
        /** @description The header is the signature, in hex (`sha256=` may stand before it) or base64; the credential its key */
        WebhookSignature: {
            credential: string;
            /**
             * @description timestamped: `<t>.<body>` is signed, and the header is `t=<seconds>,v1=<hex>`, five minutes old at most
             * @default body
             * @enum {string}
             */
            format?: "body" | "timestamped";
            header: string;
            /** @enum {string} */
            type: "hmac_sha256";
        };
        WebhookVerify: components["schemas"]["WebhookSignature"] | components["schemas"]["WebhookHeader"] | components["schemas"]["WebhookOpen"];
        WorkflowDefinition: {
            /** Format: date-time */
            archived_at: string | null;
            /** @description Of a version: the packages that its actions run on */
            connectors?: components["schemas"]["ConnectorPin"][];
            /** Format: date-time */
            created_at: string;
            description: string | null;
            /** @description Of a draft: grows by one with each edit */
            draft_revision?: number;
            family_slug: string;
            graph: components["schemas"]["Graph"];
            /**
             * Format: uuid
             * @description Of a draft it never changes; each version has its own
             */
            id: string;
            /** Format: date-time */
            published_at: string | null;
            settings: components["schemas"]["Settings"];
            /** @enum {string} */
            status: "draft" | "published" | "archived";
            tags: string[];
            title: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Of a draft: the number that it will get */
            version: number;
            warnings: components["schemas"]["Problem"][];
        };
        WorkflowDefinitionList: {
            items: components["schemas"]["WorkflowDefinitionSummary"][];
            next_page_token: string | null;
        };
        WorkflowDefinitionSummary: {
            /** Format: date-time */
            archived_at: string | null;
            /** Format: date-time */
            created_at: string;
            description: string | null;
            /** @description Of a draft: grows by one with each edit */
            draft_revision?: number;
            family_slug: string;
            /**
             * Format: uuid
             * @description Of a draft it never changes; each version has its own
             */
            id: string;
            /** Format: date-time */
            published_at: string | null;
            /** @enum {string} */
            status: "draft" | "published" | "archived";
            tags: string[];
            title: string;
            /** Format: date-time */
            updated_at: string;
            /** @description Of a draft: the number that it will get */
            version: number;
        };
        WorkflowDefinitionVersionList: {
            items: components["schemas"]["WorkflowDefinitionSummary"][];
            next_page_token: string | null;
        };
        WorkflowEvent: {
            correlation_key: string;
            event_id: string;
            event_name: string;
            id: string;
            /** @description How many waits took it */
            matched: number;
            /**
             * Format: date-time
             * @description null: not everybody has been told yet
             */
            matched_at: string | null;
            /** @description About the first thousand */
            matches: components["schemas"]["EventMatch"][];
            /** Format: date-time */
            published_at: string;
            /** @description The run that published it */
            run_id: string | null;
        };
    };
    responses: {
        /** @description It is there already, is not in a state for this, or was changed in between. Code: `already_exists`, `failed_precondition`, `conflict`. */
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "already_exists",
                 *         "message": "It is there already, is not in a state for this, or was changed in between."
                 *       },
                 *       "metadata": {
                 *         "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
                 *         "request_id": "0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11",
                 *         "fetched_at": "2026-11-29T08:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "already_exists" | "failed_precondition" | "conflict";
                    };
                };
            };
        };
        /** @description A fault in the host; its log has more under the `request_id`. Code: `internal`. */
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "internal",
                 *         "message": "A fault in the host; its log has more under the request_id."
                 *       },
                 *       "metadata": {
                 *         "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
                 *         "request_id": "0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11",
                 *         "fetched_at": "2026-11-29T08:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "internal";
                    };
                };
            };
        };
        /** @description Something in the request is wrong; `details` name each place, what is wrong there, and what is allowed. Code: `invalid_argument`. */
        InvalidArgument: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "invalid_argument",
                 *         "message": "Something in the request is wrong; details name each place, what is wrong there, and what is allowed."
                 *       },
                 *       "metadata": {
                 *         "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
                 *         "request_id": "0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11",
                 *         "fetched_at": "2026-11-29T08:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "invalid_argument";
                    };
                };
            };
        };
        /** @description There is no such thing, or it is another tenant’s. Code: `not_found`. */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "not_found",
                 *         "message": "There is no such thing, or it is another tenant’s."
                 *       },
                 *       "metadata": {
                 *         "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
                 *         "request_id": "0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11",
                 *         "fetched_at": "2026-11-29T08:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "not_found";
                    };
                };
            };
        };
        /** @description The body is larger than the host accepts. Code: `payload_too_large`. */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "payload_too_large",
                 *         "message": "The body is larger than the host accepts."
                 *       },
                 *       "metadata": {
                 *         "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
                 *         "request_id": "0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11",
                 *         "fetched_at": "2026-11-29T08:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "payload_too_large";
                    };
                };
            };
        };
        /** @description The key lacks the scope, or is of another tenant; or the tenant may not do this. Code: `permission_denied`. */
        PermissionDenied: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "permission_denied",
                 *         "message": "The key lacks the scope, or is of another tenant; or the tenant may not do this."
                 *       },
                 *       "metadata": {
                 *         "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
                 *         "request_id": "0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11",
                 *         "fetched_at": "2026-11-29T08:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "permission_denied";
                    };
                };
            };
        };
        /** @description A limit is reached; `Retry-After` says when to ask again. Code: `resource_exhausted`. */
        ResourceExhausted: {
            headers: {
                /** @description Seconds until it makes sense to ask again. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "resource_exhausted",
                 *         "message": "A limit is reached; Retry-After says when to ask again."
                 *       },
                 *       "metadata": {
                 *         "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
                 *         "request_id": "0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11",
                 *         "fetched_at": "2026-11-29T08:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "resource_exhausted";
                    };
                };
            };
        };
        /** @description There is no API key, or it is not valid. Code: `unauthenticated`. */
        Unauthenticated: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "unauthenticated",
                 *         "message": "There is no API key, or it is not valid."
                 *       },
                 *       "metadata": {
                 *         "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
                 *         "request_id": "0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11",
                 *         "fetched_at": "2026-11-29T08:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "unauthenticated";
                    };
                };
            };
        };
        /** @description The database cannot be reached, or the host is stopping; `Retry-After` says when to ask again. Code: `unavailable`. */
        Unavailable: {
            headers: {
                /** @description Seconds until it makes sense to ask again. */
                "Retry-After"?: number;
                [name: string]: unknown;
            };
            content: {
                /**
                 * @example {
                 *       "error": {
                 *         "code": "unavailable",
                 *         "message": "The database cannot be reached, or the host is stopping; Retry-After says when to ask again."
                 *       },
                 *       "metadata": {
                 *         "trace_id": "4bf92f3577b34da6a3ce929d0e0e4736",
                 *         "request_id": "0198f2a4-7c1e-7d3a-9b1f-3f2d8a6c0e11",
                 *         "fetched_at": "2026-11-29T08:00:00.000Z"
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ErrorAnswer"] & {
                    error?: {
                        /** @enum {unknown} */
                        code?: "unavailable";
                    };
                };
            };
        };
    };
    parameters: {
        /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
        TenantId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listApiKeys: {
        parameters: {
            query?: {
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
                tenant_id?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateApiKey"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NewApiKey"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKey"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listAuditLog: {
        parameters: {
            query?: {
                action?: string;
                /** @description As it is noted: key:<name of the key> */
                actor?: string;
                from?: string;
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
                target?: string;
                tenant_id?: string;
                /** @description Before it */
                to?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuditLog"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listReleases: {
        parameters: {
            query?: {
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallerReleaseList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getLiveRelease: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallerRelease"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    declareRelease: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DeclareRelease"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CallerRelease"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCredentials: {
        parameters: {
            query?: {
                /** @description the id of a connector */
                connector?: string;
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postCredentials: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateCredential"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedCredential"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postCredentialsReseal: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ResealedCredentials"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getCredentialsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Credential"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteCredentialsId: {
        parameters: {
            query?: {
                /** @description also while published workflows name it */
                force?: boolean;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedCredential"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    patchCredentialsId: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateCredential"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedCredential"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    postCredentialsIdTest: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CredentialTestResult"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listDigests: {
        parameters: {
            query?: {
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        items: components["schemas"]["Digest"][];
                        next_page_token: string | null;
                    } & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listOperations: {
        parameters: {
            query?: {
                kind?: string;
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
                status?: "pending" | "running" | "done" | "failed" | "cancelled";
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OperationList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelOperation: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Operation"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPayload: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payload"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRepairItems: {
        parameters: {
            query?: {
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
                status?: "open" | "resolved";
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RepairItemList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listTenants: {
        parameters: {
            query?: {
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TenantList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createTenant: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateTenant"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A slug is 1 to 63 of the characters a-z, 0-9 and -, and does not begin with -. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateTenant: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A slug is 1 to 63 of the characters a-z, 0-9 and -, and does not begin with -. */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateTenant"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Tenant"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerWorkflow: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                definition_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriggerWorkflow"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggeredRun"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerWorkflowBatch: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                definition_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TriggerBatch"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TriggerBatchAnswer"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishEvent: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublishEvent"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedEvent"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    controlRuns: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunBatch"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": (components["schemas"]["BatchAccepted"] | components["schemas"]["BatchPreview"]) & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    cancelRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunControl"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunControl"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    redriveRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunControl"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunControl"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    terminateRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RunControl"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRunAttempts: {
        parameters: {
            query?: {
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AttemptList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resolveAttempt: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                attempt_id: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveAttempt"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listCompensations: {
        parameters: {
            query?: {
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompensationList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resolveCompensation: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason?: string;
                    /** @description The same again does nothing */
                    request_id: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Compensation"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    retryCompensation: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
                run_id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    reason?: string;
                    /** @description The same again does nothing */
                    request_id: string;
                };
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CompensationRetry"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listBranches: {
        parameters: {
            query?: {
                /** @description The indexes of the branches around the step, outermost first */
                branch?: number[];
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
                status?: "pending" | "in_flight" | "completed" | "failed" | "cancelled";
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
                step_ref: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BranchList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRunSnapshot: {
        parameters: {
            query?: {
                /** @description After this transition; by default its last */
                at?: number;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunSnapshot"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    approveStep: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
                step_ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Approve"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    rejectStep: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
                step_ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reject"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resolveStep: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
                step_ref: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ResolveStep"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    explainRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunWhy"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWebhook"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedWebhook"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWebhook"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkflowDefinitions: {
        parameters: {
            query?: {
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
                q?: string;
                status?: "draft" | "published" | "archived";
                tags?: string[];
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDefinitionList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    createWorkflowDefinition: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CreateWorkflowDefinition"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDefinition"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getWorkflowDefinition: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDefinition"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    archiveWorkflowDefinition: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArchivedDefinition"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deleteWorkflowDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletedDraft"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    updateWorkflowDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UpdateWorkflowDraft"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDefinition"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    duplicateWorkflowDefinition: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DuplicateWorkflowDefinition"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDefinition"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    publishWorkflowDefinition: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["PublishWorkflowDefinition"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublishedDefinition"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    validateWorkflowDraft: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ValidatedDraft"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listWorkflowDefinitionVersions: {
        parameters: {
            query?: {
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkflowDefinitionVersionList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listEvents: {
        parameters: {
            query?: {
                correlation_key?: string;
                event_name?: string;
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
                /** @description Published then or later */
                since?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EventList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listSchedules: {
        parameters: {
            query?: {
                /** @description Of this workflow */
                family?: string;
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
                paused?: boolean;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    backfillSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BackfillSchedule"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleBackfilled"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    pauseSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    resumeSchedule: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Schedule"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    triggerScheduleNow: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["TriggerSchedule"];
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleTriggered"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listScheduleOccurrences: {
        parameters: {
            query?: {
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ScheduleOccurrenceList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRuns: {
        parameters: {
            query?: {
                /** @description Only runs that have not ended */
                active_only?: boolean;
                /** @description Any number of `attribute.<key>`, `label.<key>`, `schedule_id`. */
                filters?: {
                    [key: string]: string;
                };
                /** @description By default workflow */
                kind?: string;
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
                root_run_id?: string;
                started_after?: string;
                started_before?: string;
                status?: ("pending" | "running" | "waiting" | "paused" | "cancelling" | "completed" | "failed" | "cancelled" | "terminated" | "continued_as_new" | "merged")[];
                subject_id?: string;
                subject_type?: string;
                /** @description The slug; - and _ are the same in it */
                workflow_type?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Run"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listRunEvents: {
        parameters: {
            query?: {
                order?: "asc" | "desc";
                page_size?: number;
                page_token?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunEventList"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRunTree: {
        parameters: {
            query?: {
                page_size?: number;
                page_token?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RunTree"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    watchRun: {
        parameters: {
            query?: never;
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path: {
                run_id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream": string;
                };
            };
            /** @description Nothing more is to come. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getStats: {
        parameters: {
            query?: {
                /** @description In UTC */
                bucket?: "minute" | "hour" | "day";
                from?: string;
                kind?: string;
                /** @description By default now */
                to?: string;
                /** @description The slug; - and _ are the same in it */
                workflow_type?: string;
            };
            header?: {
                /** @description An operator’s key is of no tenant and names one here; a tenant’s key needs it not. */
                "X-Tenant-ID"?: components["parameters"]["TenantId"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Stats"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            404: components["responses"]["NotFound"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["InvalidArgument"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getDocsFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                };
            };
            400: components["responses"]["InvalidArgument"];
            404: components["responses"]["NotFound"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    deliverToWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook’s id, which nobody guesses */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            /** @description The answer. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": unknown;
                };
            };
            400: components["responses"]["InvalidArgument"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain; version=0.0.4; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidArgument"];
            401: components["responses"]["Unauthenticated"];
            403: components["responses"]["PermissionDenied"];
            429: components["responses"]["ResourceExhausted"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOpenApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, unknown>;
                };
            };
            400: components["responses"]["InvalidArgument"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"] & components["schemas"]["Answer"];
                };
            };
            400: components["responses"]["InvalidArgument"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConnectorSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": Record<string, unknown>;
                };
            };
            400: components["responses"]["InvalidArgument"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getConfigSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": Record<string, unknown>;
                };
            };
            400: components["responses"]["InvalidArgument"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getPluginSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The answer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": Record<string, unknown>;
                };
            };
            400: components["responses"]["InvalidArgument"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
}
