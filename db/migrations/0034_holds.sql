ALTER TABLE `change_feed` DROP CONSTRAINT "change_feed_type";--> statement-breakpoint
ALTER TABLE `change_feed` ADD CONSTRAINT "change_feed_type" CHECK("change_feed"."type" in ('verification.ran', 'claim.opened', 'claim.ended', 'domain.archived', 'domain.unarchived', 'domain.created', 'domain.deleted', 'domain.holds', 'domain.no_longer_holds', 'proof_link.issued', 'proof_link.revoked', 'notice.created'));--> statement-breakpoint
ALTER TABLE `claims` ADD `watch_proof` integer DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE `domains` ADD `loss` text CONSTRAINT "domains_loss" CHECK("loss" is null or "loss" in ('lapsed', 'moved', 'gone', 'registered_again'));--> statement-breakpoint
ALTER TABLE `domains` ADD `holds` integer NOT NULL GENERATED ALWAYS AS (last_proved_at is not null and loss is null and not archived) VIRTUAL;--> statement-breakpoint
UPDATE `domains` SET `loss` = `lost`.`state` FROM (
	SELECT `claims`.`domain_id`, iif(`registry` = 'registered_again', `registry`, `watches`.`state`) AS `state`,
		iif(`registry` = 'registered_again', `registered_at`, iif(`watches`.`state` = 'lapsed', `missing_since`, `finding_since`)) AS `since`,
		iif(`registry` = 'registered_again', 0, max(`seen_at`) OVER (PARTITION BY `claims`.`domain_id`)) AS `seen`
	FROM `watches` INNER JOIN `claims` ON `claims`.`id` = `watches`.`claim_id` WHERE `purpose` = 'watch'
) AS `lost` WHERE `lost`.`domain_id` = `domains`.`id` AND `lost`.`state` IN ('lapsed', 'moved', 'gone', 'registered_again') AND `since` >= max(`last_proved_at`, `seen`);
